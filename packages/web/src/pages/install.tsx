/** How to install the CLI from this service. Public. */
import { useQuery } from '@tanstack/react-query';
import { systems } from '../features/install/commands.ts';
import { InstallSteps } from '../features/install/install-steps.tsx';
import { programsFor, programsQuery, visitorsSystem } from '../features/install/programs.ts';
import { Page } from '../ui/page.tsx';
import { QueryResult } from '../ui/query-result.tsx';
import { Tabs } from '../ui/tabs.tsx';

export function InstallPage() {
  const offered = useQuery(programsQuery);
  return (
    <Page title="Install the CLI">
      <p>
        <code>svc</code> scans your repositories and uploads their reports. It is one file that needs Node
        22.18 or later and nothing else.
      </p>
      <QueryResult of={offered} what="the programs">
        {({ programs }) => (
          <Tabs label="Operating system" tabs={systems} first={visitorsSystem(navigator.userAgent)}>
            {(system) => (
              <InstallSteps
                system={system}
                label={systems.find(({ id }) => id === system)?.label ?? system}
                programs={programsFor(system, programs, location.origin)}
              />
            )}
          </Tabs>
        )}
      </QueryResult>
    </Page>
  );
}
