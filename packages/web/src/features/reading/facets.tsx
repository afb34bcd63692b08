/** The facets of the findings: in a row, or on a phone behind one button. */
import { facetNames } from '@svc/contract/facets';
import { PhoneFold } from '../../ui/phone-fold.tsx';
import { Facet, offeredFacets, type FacetsProps } from './facet.tsx';

export function Facets(props: FacetsProps) {
  const { chosen } = props.filters;
  const count = facetNames.reduce((sum, name) => sum + chosen[name].length, 0);
  const offered = offeredFacets(props);
  if (offered.length === 0) return null;
  return (
    <PhoneFold label="Filters" count={count}>
      {offered.map((name) => (
        <Facet key={name} name={name} {...props} />
      ))}
    </PhoneFold>
  );
}
