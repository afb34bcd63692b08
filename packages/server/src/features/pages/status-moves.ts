/** Moving a finding on, from the page of its report. */
import { findingStatuses, type ProjectedFinding } from '@svc/contract';
import { html, type Html } from './html.ts';
import { spoken } from './text.ts';

/** What a status becomes next; the service decides, this only offers. */
export function movesOf(reportId: string, { id, status = 'open' }: ProjectedFinding): Html {
  return html`<form
    class="line"
    method="post"
    data-call="PATCH /reports/${reportId}/findings/${id}"
    data-done=""
  >
    <label
      >Status
      <select name="status">
        ${findingStatuses.map(
          (each) =>
            html`<option value="${each}" ${each === status ? 'selected' : ''}>${spoken(each)}</option>`,
        )}
      </select></label
    >
    <button>Change</button>
    <p class="error" role="alert" hidden></p>
  </form>`;
}
