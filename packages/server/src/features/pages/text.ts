/** How pages say times. */
import { html, type Html } from './html.ts';

/** @param time ISO 8601, in UTC. */
export function moment(time: string): Html {
  return html`<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
