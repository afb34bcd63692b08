/** Creating a report from a SARIF file on a page, in a real browser: what is sent, and with which permission. */
import { limits } from '@svc/contract/limits';
import { sha256Hex } from '@svc/report/making/digest';
import { readLog } from '@svc/report/making/read-log';
import { reportOfLog, type LogReportOptions } from '@svc/report/making/report-of-log';
import { bindProject, bodyOf, type SessionActor } from '@svc/testkit';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { findingsInBothThemes } from './axe.ts';
import { browserSuite, describePages } from './browser-suite.ts';
import { countClicks } from './clicks.ts';
import { bytesOf, dropOn, plantedLog, plantedSecret } from './dropped-log.ts';
import { keysOf } from './keys.ts';
import { untilCopied } from './page-watch.ts';

const NAME = 'linter.sarif';
const file = { name: NAME, text: plantedLog() };

type SentReport = LogReportOptions & {
  readonly generatedAt: string;
  readonly project: { readonly name: string };
  readonly scan: Pick<
    LogReportOptions,
    'effortRequested' | 'effortResolved' | 'agent' | 'host' | 'startedAt'
  >;
};

/** The report body that this process creates from the same log, with the ids and times of the sent report. */
function madeHere(localReportId: string, sent: SentReport): Uint8Array {
  const { project, scan, authorization, generatedAt: at } = sent;
  const reading = readLog(NAME, bytesOf(file.text));
  if (!('file' in reading)) throw new Error('The log is valid.');
  const { effortRequested, effortResolved, agent, host, startedAt } = scan;
  const { bytes } = reportOfLog(reading.file, {
    localReportId,
    projectName: project.name,
    authorization,
    effortRequested,
    effortResolved,
    agent,
    host,
    startedAt,
    at,
    sizeBytesMax: limits.reportBytesMaxDefault,
  });
  return bytes;
}

describePages('a SARIF file on a page', () => {
  const { server, visit } = browserSuite();

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create report from a SARIF file' });
  const allow = (page: Page) => page.getByRole('button', { name: 'Allow this browser to upload' });
  const h1 = (page: Page) => page.getByRole('heading', { level: 1 });
  const devicesOf = async (owner: SessionActor) => bodyOf(await owner.api.listDevices()).devices;
  const reportsOf = async (owner: SessionActor) => bodyOf(await owner.api.listReports()).reports;

  async function opened(path = '/') {
    const owner = await server.signUp();
    return { owner, ...(await visit(path, { cookie: owner.cookie })) };
  }

  test('[T32] is read by a program that can reach no network and load no code', async () => {
    const { page } = await opened();
    const loading = page.waitForResponse((response) => response.url().includes('/log-worker-'));
    await dropOn(page, file);
    const response = await loading;
    expect([response.status(), response.headers()['content-security-policy']]).toEqual([
      200,
      "default-src 'none'",
    ]);
    expect(response.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('[T32] becomes a shared report in at most six clicks, redacted and identical to that of the CLI', async () => {
    const { owner, page } = await opened();
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    const clicks = await countClicks(page);
    await dropOn(page, file);
    await dialog(page).getByText('linter.sarif: 2 findings from Linter').waitFor();
    await dialog(page).getByText('Secrets were redacted in').waitFor();
    await dialog(page).getByText('can be recognized only by its message').waitFor();
    expect(requests.filter((request) => request.url().includes('/approve')).length).toBe(0);
    expect(await devicesOf(owner)).toEqual([]);
    await allow(page).click();
    await page.getByRole('link', { name: 'Orders are read by their id alone' }).waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Create share link' }).click();
    await untilCopied(page, () => page.getByRole('button', { name: 'Copy link' }).click());
    // The drop counts as one more click.
    expect((await clicks()) + 1).toBeLessThanOrEqual(6);

    const sent = requests.flatMap((request) => [request.url(), request.postData() ?? '']);
    const sentTo = (end: string) =>
      requests
        .find((request) => request.method() === 'POST' && request.url().endsWith(end))
        ?.postDataJSON() as unknown;
    const [{ reportId } = { reportId: '' }] = await reportsOf(owner);
    const { report } = bodyOf(await owner.api.getReport({ params: { id: reportId } }));
    const { localReportId } = sentTo('/reports') as { localReportId: string };
    const body = madeHere(localReportId, report as unknown as SentReport);
    // The service has checked that the sent body matches this declaration.
    expect(sentTo('/upload-intent')).toEqual({ sha256: sha256Hex(body), byteLength: body.length });
    expect(report?.project?.name).toBe('linter');
    expect([...sent, new TextDecoder().decode(body)].filter((text) => text.includes(plantedSecret))).toEqual(
      [],
    );

    const put = requests.find((request) => request.method() === 'PUT');
    expect(sentTo('/approve')).toEqual({
      userId: bodyOf(await owner.api.getSession()).user.userId,
      lifetimeMinutes: 15,
    });
    const [device, ...others] = await devicesOf(owner);
    expect([others, device?.revokedAt]).toEqual([[], expect.any(String)]);
    const kept = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, document.cookie])',
    );
    expect(kept).not.toContain('svc_dev_');
    const { authorization, cookie } = (await put?.allHeaders()) ?? {};
    expect([authorization, cookie]).toEqual([expect.stringMatching(/^Bearer svc_dev_/), undefined]);
    expect(await reportsOf(owner)).toMatchObject([{ state: 'finalized' }]);
  });

  test('that is invalid is rejected with the message of the CLI, and no permission is requested', async () => {
    const { owner, page } = await opened();
    const bad = {
      'not-json.sarif': '{"version": "2.1.0", "runs": [}',
      'other.json': '{"name": "package"}',
      'empty.sarif': ' ',
      'old.sarif': '{"version": "1.0.0", "runs": []}',
      'no-runs.sarif': '{"version": "2.1.0", "runs": []}',
      'cut-off.sarif': '{"version": "2.1.0", "runs": [{"tool": {',
    };
    for (const [name, text] of Object.entries(bad)) {
      await dropOn(page, { name, text });
      const alert = dialog(page).getByRole('alert');
      const reading = readLog(name, bytesOf(text));
      if ('file' in reading) throw new Error(`${name} is valid.`);
      const { message, details, hint } = reading.rejected;
      await alert.getByText(hint).waitFor();
      expect((await alert.innerText()).split('\n').filter((line) => line !== '')).toEqual([
        message,
        ...details,
        hint,
      ]);
      await page.keyboard.press('Escape');
    }
    await dropOn(page, file, file);
    await page.getByText('Drop one file at a time.').waitFor();
    expect(await devicesOf(owner)).toEqual([]);
  });

  test('[T32] that is not uploaded leaves a denied device link', async () => {
    const { page } = await opened();
    const started = page.waitForResponse(/\/device-links$/);
    await dropOn(page, file);
    await allow(page).waitFor();
    await started;
    const denying = page.waitForResponse(/\/deny$/);
    await page.keyboard.press('Escape');
    const denied = await denying;
    expect(denied.status()).toBe(200);
    const [, id = ''] = /\/device-links\/(\w+)\/deny$/.exec(denied.url()) ?? [];
    expect(await server.anonymous.api.getDeviceLinkStatus({ params: { id } })).toMatchObject({ status: 403 });
  });

  test('[T32] after a failure no credential and no report are left, and the next try succeeds', async () => {
    const owner = await server.signUp();
    const { projectId } = await bindProject(owner);
    const { page } = await visit(`/projects/${projectId}`, {
      cookie: owner.cookie,
      expected: /uploads\/\w+ net::ERR_FAILED$/,
    });
    await page.route('**/api/v1/uploads/*', (route) => route.abort(), { times: 1 });
    await dropOn(page, file);
    await allow(page).click();
    await dialog(page).getByRole('alert').waitFor();
    expect((await devicesOf(owner)).map(({ revokedAt }) => revokedAt)).toEqual([expect.any(String)]);
    expect(await reportsOf(owner)).toEqual([]);
    await allow(page).click();
    await page.getByRole('link', { name: 'Orders are read by their id alone' }).waitFor();
    expect(await reportsOf(owner)).toMatchObject([{ projectId, state: 'finalized' }]);
    expect((await devicesOf(owner)).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });

  test.each([
    ['page is left', (page: Page) => page.goto('/health')],
    ['dialog is closed', (page: Page) => page.keyboard.press('Escape')],
  ] as const)('[T32] whose %s during the upload leaves no credential and no report', async (_name, leave) => {
    const { owner, page } = await opened();
    const held = new Promise<void>((resolve) => {
      void page.route('**/api/v1/uploads/*', () => resolve());
    });
    await dropOn(page, file);
    await allow(page).click();
    await held;
    expect(await reportsOf(owner)).toMatchObject([{ state: 'live' }]);
    await leave(page);
    const left = async () => [
      await reportsOf(owner),
      (await devicesOf(owner)).filter(({ revokedAt }) => revokedAt === null),
    ];
    await expect.poll(left, { timeout: 60_000 }).toEqual([[], []]);
  });

  test('is chosen, gets a project name and is uploaded by keyboard alone', async () => {
    const { page } = await opened();
    const keys = keysOf(page);
    const choosing = page.waitForEvent('filechooser');
    await keys.pressOn(page.getByRole('button', { name: 'Choose SARIF file' }));
    await (await choosing).setFiles({ name: NAME, mimeType: '', buffer: Buffer.from(file.text) });
    await allow(page).waitFor();
    await keys.tabTo(dialog(page).getByLabel('Name of the new project'));
    await keys.press('ControlOrMeta+a');
    await keys.type('moonlit-shop');
    await keys.pressOn(allow(page));
    await page.getByRole('link', { name: 'moonlit-shop' }).first().waitFor();
  });

  test('has an accessible dialog in both themes, in a window as narrow as a phone', async () => {
    const owner = await server.signUp();
    const { page } = await visit('/', { cookie: owner.cookie, width: 360 });
    await h1(page).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await dropOn(page, { name: NAME, text: '[' });
    await dialog(page).getByRole('alert').waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dropOn(page, file);
    await allow(page).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
  });
});
