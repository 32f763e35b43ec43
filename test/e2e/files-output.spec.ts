import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faults } from '../kit/axe.ts';
import { encodePng } from '../../src-main/sandbox/workers/handlers/image.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { searchJobs, sendAndOpen, sendJobs } from '../kit/person.ts';
import { connectTo, expect, jobPane, shareApp, test } from './fixtures.ts';
import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';

/** Silence, a tenth of a second by default: 8 kHz, 8 bits, one channel. */
function silence(samples = 800): string {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'ascii');
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8, 'ascii');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'ascii');
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]).toString('base64');
}

/** A preview as a diffusion worker streams it after each step: it becomes one pixel wider each time. */
function preview(step: number): { step: number; image: string } {
  const width = firstWidth + step;
  const pixels = new Uint8Array(width * 16 * 3).fill(step * 4);
  return { step, image: `data:image/png;base64,${encodePng(width, 16, pixels).toString('base64')}` };
}
const firstWidth = 20;

/** A GIF of one pixel. */
const dot = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

// Later tests look at the jobs of earlier ones.
test.describe.configure({ mode: 'serial' });
let service: Sandbox | undefined;
const paced = openPacedEndpoint();
test.beforeEach(() => paced.hold());
test.afterAll(() => paced.close());
const shared = shareApp(async ({ page }, startService) => {
  service = await startService({ endpoints: [...BUILT_IN_ENDPOINTS, paced.endpoint] });
  await connectTo(page, service);
});

test('audio in an output is recognised by its bytes, played, read in hex and saved, with its transcript', async () => {
  const { app, page, dataDir } = shared();
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(60)]).toString('base64');
  const video = Buffer.concat([Buffer.from([0, 0, 0, 0x18]), Buffer.from('ftypisom'), Buffer.alloc(60)]).toString(
    'base64',
  );
  const input = {
    title: 'speaks',
    audio: { data: silence(), filename: 'take-1.wav' },
    report: pdf,
    clip: video,
    link: 'https://a.example/clip.mp4',
    segments: [
      { start: 0, end: 0.05, text: ' Good mourning.', speaker: 'Ann', avg_logprob: -1.2 },
      { start: 0.05, end: 0.1, text: ' Let us begin.', speaker: 'Ann', avg_logprob: -0.1 },
      // Hours of it, as far as the list is concerned.
      ...Array.from({ length: 3_000 }, (_, at) => ({ start: at + 1, end: at + 2, text: ` Sentence ${at}.` })),
    ],
  };
  await sendJobs(page, [{ endpoint: 'echo', input }]);
  await expect(page.getByRole('option', { name: /speaks/ })).toHaveAccessibleName(/Completed/, { timeout: 20_000 });
  await page.getByRole('option', { name: /speaks/ }).click();

  const pane = jobPane(page);
  const files = pane.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem');
  await expect(files).toHaveCount(3);
  // A video is one by its bytes.
  const clip = files.filter({ hasText: 'clip' });
  await expect(clip).toContainText('mp4');
  await expect(clip.getByRole('button', { name: 'Play' })).toBeVisible();
  // An address is opened only after a question.
  await pane.getByRole('list', { name: 'Links to files' }).getByRole('button', { name: 'Open in browser' }).click();
  const question = page.getByRole('dialog', { name: 'Open this address in the browser?' });
  await expect(question).toContainText('https://a.example/clip.mp4');
  expect.soft(await faults(app, page, 'open a link')).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  const audio = files.filter({ hasText: 'take-1.wav' });
  await audio.getByRole('button', { name: 'Play' }).click();
  // It has a length: the bytes were read as sound, under the policy of the window.
  const length = (): Promise<number> =>
    audio.locator('audio').evaluate((each) => (each instanceof HTMLAudioElement ? each.duration : 0));
  await expect.poll(length).toBeCloseTo(0.1, 2);
  // Its outline is drawn, and a slider goes to any place.
  const position = audio.getByRole('slider', { name: 'Position' });
  await expect(position).toHaveAttribute('aria-valuetext', '0:00 of 0:00');
  await position.press('End');
  await expect(position).toHaveValue('1000');
  await audio.getByRole('button', { name: 'Hex' }).click();
  await expect(audio.getByRole('region', { name: 'Bytes of take-1.wav' })).toContainText('52 49 46 46');
  expect(await faults(app, page)).toEqual([]);
  const filePath = join(dataDir, 'report.pdf');
  await app.answerDialog({ canceled: false, filePath });
  await files.filter({ hasText: 'report' }).getByRole('button', { name: 'Save as' }).click();
  await expect.poll(() => readFile(filePath, 'base64').catch(() => '')).toBe(pdf);
  expect(JSON.stringify((await app.dialogs()).at(-1))).toMatch(/-file-2\.pdf/);

  // The spoken text is shown with its times beside the player, and a press plays from there.
  await pane.getByRole('radio', { name: 'Transcript' }).click();
  const transcript = pane.getByRole('list', { name: 'Transcript' });
  await transcript.getByRole('button', { name: '0:00 Let us begin.' }).click();
  await expect(transcript.locator('[aria-current]')).toHaveText('0:00Let us begin.');
  // Each speaker is shown once, and the texts of which the handler is not sure are marked.
  await expect(transcript.getByRole('button', { name: '0:00 Ann Good mourning. 30 % sure' })).toBeVisible();
  const srtPath = join(dataDir, 'said.srt');
  await app.answerDialog({ canceled: false, filePath: srtPath });
  await pane.getByRole('button', { name: 'Save transcript' }).click();
  await page.getByRole('menuitem', { name: 'Save as SRT' }).click();
  const firstCue = '1\n00:00:00,000 --> 00:00:00,050\nAnn: Good mourning.\n\n2\n';
  await expect.poll(() => readFile(srtPath, 'utf8').catch(() => '')).toContain(firstCue);
  // It is searched like any other output, far beyond what is drawn.
  await pane.getByRole('button', { name: 'Search the output' }).click();
  const search = pane.getByRole('textbox', { name: 'Search the transcript' });
  await search.fill('sentence 2222.');
  await expect(pane.getByRole('search')).toContainText('1 of 1');
  await expect(transcript.locator('mark[aria-current]')).toHaveText('Sentence 2222.');
  await expect(transcript.locator('mark[aria-current]')).toBeInViewport();
  await search.press('Escape');
  await expect(search).toBeHidden();
  await expect(transcript.locator('mark')).toHaveCount(0);
  // Only what is in view is drawn, down to the end.
  expect(await transcript.getByRole('listitem').count()).toBeLessThan(100);
  await pane.getByRole('group', { name: 'Transcript, scrolls' }).press('End');
  await expect(transcript.getByText('Sentence 2999.')).toBeVisible();
  expect(await faults(app, page)).toEqual([]);
});

test('each of ninety images is reachable', async () => {
  const { app, page } = shared();
  const pane = jobPane(page);
  // The list of small ones follows.
  const images = Array.from({ length: 90 }, () => `data:image/gif;base64,${dot}`);
  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'ninety dots', images } }]);
  await expect(page.getByRole('option', { name: /ninety dots/ })).toHaveAccessibleName(/Completed/, {
    timeout: 20_000,
  });
  await page.getByRole('option', { name: /ninety dots/ }).click();
  await expect(pane.getByRole('figure', { name: 'Image 1 of 90' })).toBeVisible();
  const small = pane.getByRole('listbox', { name: 'Images' });
  const last = small.getByRole('option', { name: 'Image 90' });
  await expect(last).not.toBeInViewport();
  await pane.getByRole('button', { name: 'Previous image' }).click();
  await expect(pane.getByRole('figure', { name: 'Image 90 of 90' })).toBeVisible();
  await expect(last).toBeInViewport();
  await expect(last.locator('img')).toBeVisible();
  expect(await faults(app, page)).toEqual([]);
});

test('sounds of a stream are played while more come, in one film with images; an image in pieces is one when it is whole', async () => {
  const { app, page } = shared();
  const pane = jobPane(page);
  const sounds = Array.from({ length: 24 }, (_, at) => ({ sentence: at + 1, audio: silence(800 * (at + 1)) }));
  const whole = preview(50).image;
  const pieces = [whole.slice(0, 70), whole.slice(70, 90), whole.slice(90)];
  const paced_stream = [...sounds.slice(0, 20), preview(1), ...sounds.slice(20), ...pieces];
  await sendAndOpen(page, { endpoint: 'paced', input: { title: 'says on', paced_stream } });
  paced.pass(3);
  const figure = pane.getByRole('figure', { name: /^Sound \d+ of \d+$/ });
  await expect(figure).toBeVisible();
  const seconds = (): Promise<number> =>
    figure.locator('audio').evaluate((each) => (each instanceof HTMLAudioElement ? each.duration : 0));
  await expect.poll(seconds).toBeGreaterThan(0.25);
  await expect(pane.getByRole('radio', { name: 'Media' })).toBeChecked();
  // An earlier one is reached, and stays.
  const film = pane.getByRole('listbox', { name: 'Images and sounds' });
  await film.getByRole('option', { name: 'Sound 2', exact: true }).click();
  await expect.poll(seconds).toBeCloseTo(0.2, 2);
  paced.pass(1);
  await expect(film.getByRole('option', { name: 'Sound 4', exact: true })).toBeVisible();
  expect(await seconds()).toBeCloseTo(0.2, 2);
  await pane.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect.poll(seconds).toBeGreaterThan(0.35);
  // One that is played stays, too.
  await figure.getByRole('button', { name: /^Play Chunk/ }).click();
  await expect(pane.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
  const played = await figure.getAttribute('aria-label');
  const number = played?.split(' ')[1] ?? '';
  paced.end();
  await expect(pane.getByText('Completed').first()).toBeVisible();
  // The pieces are one image, and the list that the service returned at the end has nothing else.
  await expect(pane.getByRole('figure', { name: `Sound ${number} of 26` })).toBeVisible();
  await expect(pane.getByRole('radio', { name: 'Files' })).toHaveCount(0);
  await expect(pane.getByRole('radio', { name: 'Text' })).toHaveCount(0);
  for (let step = Number(number); step < 26; step += 1)
    await pane.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(pane.getByRole('figure', { name: 'Image 26 of 26' })).toContainText('Chunks 26 to 28');
  const width = (): Promise<number> =>
    pane
      .getByRole('figure')
      .getByRole('img')
      .evaluate((each) => (each instanceof HTMLImageElement ? each.naturalWidth : 0));
  await expect.poll(width).toBe(firstWidth + 50);
  expect(await faults(app, page)).toEqual([]);
});

test('previews of a stream are shown while they come, paged through, and found by the filter without the service', async () => {
  const { app, page } = shared();
  const pane = jobPane(page);
  const paced_stream = Array.from({ length: 60 }, (_, at) => preview(at + 1));
  await sendAndOpen(page, { endpoint: 'paced', input: { title: 'diffuses', paced_stream } });
  paced.pass(2);
  const figure = pane.getByRole('figure', { name: /^Image \d+ of \d+$/ });
  const widthPx = (): Promise<number> =>
    figure.getByRole('img').evaluate((each) => (each instanceof HTMLImageElement ? each.naturalWidth : 0));
  await expect(figure).toBeVisible();
  await expect.poll(widthPx).toBe(firstWidth + 2);
  paced.pass(2);
  await expect.poll(widthPx).toBe(firstWidth + 4);
  // An earlier one stays in view, whatever comes.
  await pane.getByRole('option', { name: 'Image 1', exact: true }).click();
  await expect.poll(widthPx).toBe(firstWidth + 1);
  await expect(pane.getByText('In progress').first()).toBeVisible();
  paced.pass(2);
  await expect(pane.getByRole('figure', { name: 'Image 1 of 6' })).toBeVisible();
  await expect(pane.getByRole('option', { name: 'Image 1', exact: true })).toHaveAttribute('aria-selected', 'true');
  await pane.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect.poll(widthPx).toBe(firstWidth + 6);

  // Cancelled, it has no output but its stream.
  await pane.getByRole('button', { name: /^Cancel/ }).click();
  await expect(pane.getByText('Cancelled').first()).toBeVisible();
  await service?.close();
  await searchJobs(page, 'has:images');
  await page.getByRole('option', { name: /ninety dots/ }).click();
  await expect(pane.getByRole('figure', { name: 'Image 1 of 90' })).toBeVisible();
  await page.getByRole('option', { name: /diffuses/ }).click();
  await expect(pane.getByRole('heading', { name: 'diffuses' })).toBeVisible();
  await expect.poll(widthPx).toBe(firstWidth + 6);
  await pane.getByRole('button', { name: 'Next image' }).click();
  await expect.poll(widthPx).toBe(firstWidth + 1);
  expect(await faults(app, page)).toEqual([]);
});

test('without the service a sound plays as before', async () => {
  const { page } = shared();
  const pane = jobPane(page);
  await page.getByRole('option', { name: /says on/ }).click();
  await expect(pane.getByRole('figure', { name: 'Image 26 of 26' })).toBeVisible();
  await pane.getByRole('button', { name: 'Previous', exact: true }).click();
  const sound = pane.getByRole('figure', { name: 'Sound 25 of 26' });
  await sound.getByRole('button', { name: /^Play Chunk/ }).click();
  const played = (): Promise<number> =>
    sound.locator('audio').evaluate((each) => (each instanceof HTMLAudioElement ? each.currentTime : 0));
  await expect.poll(played).toBeGreaterThan(0.1);
});
