/** Saved views: a menu of searches under names, and a form to save the current one. */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { inputShape } from '../../ui/field.tsx';
import { deleteView, saveView, savedViews, viewsAreKept } from './saved-views.ts';

export interface ViewMenuProps {
  readonly workspaceId: string;
  /** The query of the current URL. */
  readonly address: string;
  readonly onOpen: (address: string) => void;
}

export function ViewMenu({ workspaceId, address, onOpen }: ViewMenuProps) {
  const [views, setViews] = useState(() => savedViews(workspaceId));
  const [name, setName] = useState('');
  const areKept = viewsAreKept();
  return (
    <Disclosure label="Views" side="end">
      {(close) => (
        <div className="flex w-64 max-w-full flex-col gap-2 p-2">
          {views.length === 0 ? (
            <p className="text-small text-quiet">
              No saved views.{areKept ? ' They are kept in this browser.' : ''}
            </p>
          ) : (
            <ul aria-label="Saved views">
              {views.map((view) => (
                <li key={view.name} className="flex items-center gap-1">
                  <button
                    type="button"
                    className="min-h-8 pointer-coarse:min-h-11 min-w-0 grow truncate rounded px-2 text-left hover:bg-hover"
                    onClick={() => {
                      close();
                      onOpen(view.address);
                    }}
                  >
                    {view.name}
                  </button>
                  <button
                    type="button"
                    aria-label={`Delete view ${view.name}`}
                    className="size-8 rounded text-quiet hover:bg-hover"
                    onClick={() => setViews(deleteView(workspaceId, view.name))}
                  >
                    <span aria-hidden="true">✕</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <form
            className="flex gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              const given = name.trim();
              if (given === '') return;
              setViews(saveView(workspaceId, { name: given, address }));
              setName('');
            }}
          >
            <input
              aria-label="Name of the view"
              value={name}
              maxLength={80}
              onChange={(event) => setName(event.currentTarget.value)}
              className={inputShape}
            />
            <Button type="submit">Save</Button>
          </form>
          {areKept ? null : (
            <p className="text-small text-quiet">
              This browser blocks storage for this site. Views are lost when you reload or close this page.
            </p>
          )}
        </div>
      )}
    </Disclosure>
  );
}
