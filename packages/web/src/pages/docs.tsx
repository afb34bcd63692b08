/** The reference of the API, for whoever writes programs against it. */
import { ApiReference } from '../features/api-reference/api-reference.tsx';
import { Page } from '../ui/page.tsx';

export function DocsPage() {
  return (
    <Page title="API reference" width="wide">
      <ApiReference />
    </Page>
  );
}
