/** A deployment from before prepared projections: after the upgrade, those of its shares are prepared. */
import type { SharePolicy } from '@svc/contract';
import { bodyOf, postgresUrl, shareOf, startServer, syncReport } from '@svc/testkit';
import { expect, test } from 'vitest';
import { preparedProjections } from '#platform/database/migrations/0010-prepared-projections';

const policy: SharePolicy = { version: 1, sections: { mode: 'allow_all' }, findings: { mode: 'allow_all' } };

test('[D24] the upgrade finds the policies of active shares, and the job prepares them', async () => {
  await using server = await startServer({ generousPlans: true });
  const owner = await server.signUp();
  const guest = await server.signUp();
  const { reportId } = await syncReport(await server.linkDevice(owner));
  const principals = [{ principalValue: guest.email, policy: { ...policy, anonymize: true } }];
  const { slug } = await shareOf(owner, reportId, { defaultPolicy: policy, principals });
  const ended = await shareOf(owner, reportId, { defaultPolicy: { version: 1 } });
  bodyOf(await owner.api.revokeShare({ params: { shareId: ended.shareId }, query: { reportId } }));
  const before = bodyOf(await guest.api.readShare({ params: { slug } }));

  const { read: db } = server.service.database;
  const digests = () =>
    db.selectFrom('preparedProjections').select('policyDigest').orderBy('policyDigest').execute();
  const prepared = await digests();
  await db.schema.dropTable('preparedProjections').execute();
  await db.schema.dropTable('preparedMoves').execute();
  await db.schema.alterTable('shares').dropColumn('policyDigest').execute();
  await db.schema.alterTable('sharePrincipals').dropColumn('policyDigest').execute();
  await server.service.database.transaction((tx) =>
    preparedProjections(tx, postgresUrl === undefined ? 'sqlite' : 'postgres'),
  );
  // A later migration adds this column.
  await db.schema.alterTable('preparedProjections').addColumn('lapsesAt', 'bigint').execute();

  expect(prepared).toHaveLength(2);
  expect(await digests()).toEqual(prepared);
  await server.runJob('projections to prepare');
  const blobs = await db.selectFrom('preparedProjections').select('blobName').execute();
  expect(blobs.filter(({ blobName }) => blobName === null)).toEqual([]);
  expect(bodyOf(await guest.api.readShare({ params: { slug } }))).toEqual(before);
});
