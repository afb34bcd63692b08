/** Times in the document. */
import { timeLabelOf } from '../../reading/labels.ts';
import { markup, type Html } from './template.ts';

/** @param time ISO 8601, in UTC. */
export function moment(time: string): Html {
  return markup`<time datetime="${time}">${timeLabelOf(time)}</time>`;
}
