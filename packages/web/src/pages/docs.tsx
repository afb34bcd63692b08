/** The API reference. */
import { ApiReference } from '../features/api-reference/api-reference.tsx';
import { Page } from '../ui/page.tsx';

export function DocsPage() {
  return (
    <Page title="API reference" width="wide">
      <ApiReference />
    </Page>
  );
}
