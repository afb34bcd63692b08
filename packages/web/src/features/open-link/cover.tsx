/** The cover of a share: for whom, by whom, until when, and the sender's message. Parts that are not set are absent. */
import type { Opened } from './open-results.ts';
import { Expiry } from '../../ui/time.tsx';

type CoverProps = Pick<Opened, 'report' | 'viewerLabel' | 'share'>;

export function Cover({ report, viewerLabel, share }: CoverProps) {
  const { message, sender, expiresAt } = share;
  const isNamed = report.projectedFor.principalType !== 'anonymous';
  if (!isNamed && sender === null && message === null && expiresAt === null) return null;
  return (
    <section aria-label="About this share" className="mx-auto w-full max-w-[100rem] px-4 pt-6 sm:px-6">
      <div className="flex max-w-3xl flex-col gap-2 rounded bg-sunken px-4 py-3">
        {isNamed || sender !== null ? (
          <p className="font-strong">
            Prepared
            {sender === null ? null : (
              <>
                {' '}
                by <bdi>{sender}</bdi>
              </>
            )}
            {isNamed ? (
              <>
                {' '}
                for <bdi>{viewerLabel}</bdi>
              </>
            ) : null}
          </p>
        ) : null}
        {message === null ? null : (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {message}
          </p>
        )}
        {expiresAt === null ? null : (
          <p className="text-quiet">
            This share link <Expiry at={expiresAt} />.
          </p>
        )}
      </div>
    </section>
  );
}
