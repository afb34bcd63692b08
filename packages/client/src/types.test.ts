/** What must not compile: each line below `@ts-expect-error` must be an error, or the compiler reports it. */
import type { Client, CallOutcome } from './index.ts';
import type { CodesOf, Endpoints, ErrorCode, Operation } from '@svc/contract';
import { describe, expectTypeOf, test } from 'vitest';

type Input<Name extends keyof Client> = Parameters<Client[Name]>;
type CodeOf<Name extends keyof Client> = Extract<
  Awaited<ReturnType<Client[Name]>>,
  { ok: false }
>['error']['code'];

/** This function is never called; it is only compiled. */
async function calls(client: Client): Promise<void> {
  await client.getSession();
  await client.getSession({ signal: AbortSignal.abort() });
  // @ts-expect-error a call without a body takes none
  await client.getSession({ body: {} });
  // @ts-expect-error a call without parameters takes none
  await client.getSession({ params: { id: 'x' } });
  // @ts-expect-error there is no such call
  await client.getNothing();

  await client.logIn({ body: { email: 'a@b', password: 'x' } });
  // @ts-expect-error a body that is needed is missing
  await client.logIn();
  // @ts-expect-error a field is missing
  await client.logIn({ body: { email: 'a@b' } });
  // @ts-expect-error a field has the wrong type
  await client.logIn({ body: { email: 'a@b', password: 12 } });
  // @ts-expect-error there is one field too many
  await client.logIn({ body: { email: 'a@b', password: 'x', remember: true } });
  // @ts-expect-error an optional field is absent, not undefined
  await client.signUp({ body: { email: 'a@b', password: 'x', displayName: undefined } });

  await client.revokeDevice({ params: { id: 'dev_1' } });
  // @ts-expect-error the parameters are missing
  await client.revokeDevice();
  // @ts-expect-error a parameter has another name
  await client.revokeDevice({ params: { deviceId: 'dev_1' } });
  // @ts-expect-error one of two parameters is missing
  await client.removeMember({ params: { id: 'ws_1' } });
  // @ts-expect-error a value is not an allowed one
  await client.changeMember({ params: { id: 'ws_1', userId: 'usr_1' }, body: { role: 'admin' } });

  await client.listProjects();
  await client.listProjects({ query: { workspaceId: 'ws_1' } });
  // @ts-expect-error the query has no such parameter
  await client.listProjects({ query: { projectId: 'prj_1' } });
}

function outcomes(
  made: CallOutcome<Endpoints['createProject']>,
  link: CallOutcome<Endpoints['getDeviceLinkStatus']>,
): void {
  // @ts-expect-error a rejection has no body
  void made.body;
  if (made.ok) {
    expectTypeOf(made.status).toEqualTypeOf<200 | 201>();
    if (made.status === 201) expectTypeOf(made.body.created).toEqualTypeOf<true>();
    // @ts-expect-error there is no such field
    void made.body.workspaceId;
    // @ts-expect-error a response has no error
    void made.error;
  } else {
    void (made.error.code === 'CONFLICT');
    // @ts-expect-error creating a project never returns this
    void (made.error.code === 'REPORT_EXPIRED');
  }
  if (!link.ok) {
    void (link.error.code === 'DEVICE_LINK_NOT_APPROVED');
    // @ts-expect-error no credential is asked for
    void (link.error.code === 'UNAUTHENTICATED');
  }
}

describe('the types of the client', () => {
  test('reject wrong inputs and checks for impossible codes at compile time', () => {
    expectTypeOf(calls).toBeFunction();
    expectTypeOf(outcomes).toBeFunction();
  });

  test('have a call for each endpoint that returns JSON, except for the one of the payment provider', () => {
    expectTypeOf<keyof Client>().toEqualTypeOf<
      Exclude<Operation, 'streamEvents' | 'exportReport' | 'exportShare' | 'receiveBillingEvent'>
    >();
  });

  test('make the input optional when nothing is required', () => {
    expectTypeOf<[]>().toExtend<Input<'getHealth'>>();
    expectTypeOf<[]>().toExtend<Input<'listProjects'>>();
    expectTypeOf<[]>().not.toExtend<Input<'logIn'>>();
    expectTypeOf<[]>().not.toExtend<Input<'revokeDevice'>>();
  });

  test('give a call only the codes of its endpoint', () => {
    expectTypeOf<CodeOf<'getHealth'>>().toEqualTypeOf<'BAD_REQUEST' | 'VALIDATION_FAILED' | 'INTERNAL'>();
    expectTypeOf<CodeOf<'createProject'>>().toEqualTypeOf<CodesOf<Endpoints['createProject']>>();
    expectTypeOf<CodeOf<'createProject'>>().toExtend<ErrorCode>();
    expectTypeOf<ErrorCode>().not.toExtend<CodeOf<'createProject'>>();
  });
});
