import type { Locator } from '@playwright/test';
import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { sendAndOpen, untilListed } from '../kit/person.ts';
import { connectTo, expect, jobPane, shareApp, test } from './fixtures.ts';

const paced = openPacedEndpoint();
test.beforeEach(() => paced.hold());
test.afterAll(() => paced.close());
const shared = shareApp(async ({ page }, startService) =>
  connectTo(page, await startService({ endpoints: [...BUILT_IN_ENDPOINTS, paced.endpoint] })),
);

/** A list whose lines are short: a section of such lists is far taller than its characters let one estimate. */
const list = Array.from({ length: 40 }, (_, at) => `- item ${at}\n`).join('');
/** About ten sections that are full, then lines of which the last section becomes as tall as the view. */
const begin = Array.from({ length: 60 }, (_, at) => `Part ${at}.\n\n${list}\n`);
const lines = Array.from({ length: 40 }, (_, at) => `The line ${at} of the end.\n\n`);

/** The sections in the document, and where the last of them begins, in px from the top of the view. */
function drawn(text: Locator): Promise<{ count: number; top: number; toEnd: number }> {
  return text.evaluate((pane) => {
    const sections = [...pane.querySelectorAll('[data-index]')];
    const tops = sections.map((section) => section.getBoundingClientRect().top);
    return {
      count: sections.length,
      top: Math.max(...tops) - pane.getBoundingClientRect().top,
      toEnd: pane.scrollHeight - pane.scrollTop - pane.clientHeight,
    };
  });
}

/** Resolves when nothing has moved for some frames: what is drawn first is parsed over the frames after it. */
function untilStill(text: Locator): Promise<void> {
  return text.evaluate(async (pane) => {
    const place = (): string =>
      [
        pane.scrollTop,
        pane.scrollHeight,
        pane.querySelectorAll('[data-index] > *').length,
        pane.textContent.length,
      ].join();
    for (let [still, before] = [0, '']; still < 20; still = place() === before ? still + 1 : 0) {
      before = place();
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
}

test('scrolling up from the live end stays there, also when a section above is measured for the first time', async () => {
  const { page } = shared();
  await sendAndOpen(page, { endpoint: 'paced', input: { title: 'grows', paced_stream: [...begin, ...lines] } });
  const text = jobPane(page).getByRole('document', { name: 'Output text' });
  paced.pass(begin.length);
  await expect(text.getByText(`Part ${begin.length - 1}.`)).toHaveCount(1, { timeout: 60_000 });
  // Until one section fills the view alone and begins just above it.
  let passed = 0;
  for (; passed < lines.length; passed += 1) {
    const { count, top } = await drawn(text);
    if (count === 1 && top < -20 && top > -140) break;
    paced.pass(1);
    await expect(text.getByText(`The line ${passed} of the end.`)).toBeInViewport();
  }
  expect(passed).toBeLessThan(lines.length);

  // A window that opens there has measured no other section.
  await page.reload();
  await untilListed(page);
  await expect(text.getByText(`The line ${passed - 1} of the end.`)).toBeInViewport({ timeout: 30_000 });
  await untilStill(text);
  const before = await drawn(text);
  expect(before.count).toBe(1);
  expect(before.toEnd).toBeLessThan(6);
  await text.hover();
  await page.mouse.wheel(0, -150);
  await expect(page.getByRole('button', { name: 'Jump to live' })).toBeVisible();
  await expect.poll(async () => (await drawn(text)).count).toBeGreaterThan(1);
  // What was in view is as far down as it was scrolled, whatever is measured and parsed above it.
  await untilStill(text);
  const after = await drawn(text);
  expect(Math.abs(after.top - before.top - 150)).toBeLessThan(3);
  // What comes meanwhile scrolls nowhere.
  paced.pass(1);
  await expect.poll(async () => (await drawn(text)).toEnd).toBeGreaterThan(160);
  expect((await drawn(text)).top).toBe(after.top);
  await expect(page.getByRole('button', { name: 'Jump to live' })).toBeVisible();
  paced.end();
});
