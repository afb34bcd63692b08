/** The page of a link: the report as its viewer may see it, or what stands in the way. It names nobody and nothing else. */
import { Obstacle } from '../features/open-link/obstacle.tsx';
import { SharedReport } from '../features/open-link/report.tsx';
import { useLink } from '../features/open-link/use-link.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

export function SharedPage({ slug }: { readonly slug: string }) {
  const { link, isBusy, open, tryAgain, save } = useLink(slug);
  switch (link.kind) {
    case 'opening':
      return (
        <main>
          <Waiting what="the report" />
        </main>
      );
    case 'opened':
      return <SharedReport opened={link} onSave={save} />;
    case 'halfOpened':
      return <SharedReport opened={link.opened} onSave={save} onRest={tryAgain} />;
    case 'refused':
      return <Obstacle refused={link} slug={slug} onPassword={open} onRetry={tryAgain} />;
    case 'unreachable':
      return (
        <main>
          <Page title="Shared report" heading="The report can not be reached" width="narrow">
            <p role="alert">
              Check your network, then try again. Nothing of the report is kept on this device.
            </p>
            <p>
              <Button busy={isBusy} onClick={tryAgain}>
                Try again
              </Button>
            </p>
          </Page>
        </main>
      );
  }
}
