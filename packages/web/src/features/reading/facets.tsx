/** The facets of the findings: in a row, or on a phone behind one button that says how many filters are set. */
import { facetNames } from '@svc/contract/facets';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { buttonLook } from '../../ui/button.tsx';
import { Chevron } from '../../ui/chevron.tsx';
import { Facet, offeredFacets, type FacetsProps } from './facet.tsx';

export function Facets(props: FacetsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const { chosen } = props.filters;
  const count = facetNames.reduce((sum, name) => sum + chosen[name].length, 0);
  const offered = offeredFacets(props);
  if (offered.length === 0) return null;
  /** A facet that is open handles Escape itself. In a wide window there is nothing to close. */
  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen || button.current?.offsetParent === null) return;
    event.stopPropagation();
    setIsOpen(false);
    button.current?.focus();
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={closeOnEscape}
        className={`${buttonLook('plain', true)} shrink-0 sm:hidden`}
      >
        {count === 0 ? 'Filters' : `Filters, ${count}`}
        <Chevron />
      </button>
      <div
        id={id}
        role="presentation"
        onKeyDown={closeOnEscape}
        className={`flex-wrap gap-x-1 max-sm:-mx-1.5 max-sm:basis-full sm:contents ${isOpen ? 'max-sm:flex' : 'max-sm:hidden'}`}
      >
        {offered.map((name) => (
          <Facet key={name} name={name} {...props} />
        ))}
      </div>
    </>
  );
}
