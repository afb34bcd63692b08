/** Moving a finding on, from the page of its report. */
import { movesFrom, type ProjectedFinding } from '@svc/contract';
import { html, type Html } from './html.ts';
import { spoken } from './text.ts';

/** Offers where the status can go from here. */
export function movesOf(reportId: string, { id, status = 'open' }: ProjectedFinding): Html {
  const offered = [status, ...movesFrom(status)];
  return html`<form
    class="line"
    method="post"
    data-call="PATCH /reports/${reportId}/findings/${id}"
    data-next="?finding=${id}"
  >
    <label
      >Status
      <select name="status">
        ${offered.map(
          (each) =>
            html`<option value="${each}" ${each === status ? 'selected' : ''}>${spoken(each)}</option>`,
        )}
      </select></label
    >
    <button>Change</button>
    <p class="error" role="alert" hidden></p>
  </form>`;
}
