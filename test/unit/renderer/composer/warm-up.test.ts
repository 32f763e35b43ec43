import { afterEach, expect, test, vi } from 'vitest';

const codeView = '../../../../src-renderer/design/editor/code-view.ts';

afterEach(() => {
  vi.doUnmock(codeView);
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** What the window does while it is idle, when it comes to that. */
function idleWindow(): { untilNothingIsLeft: () => Promise<void> } {
  const waiting: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (run: () => void) => waiting.push(run));
  return {
    untilNothingIsLeft: async () => {
      for (let left = 0; left < 3; left = waiting.length === 0 ? left + 1 : 0) {
        waiting.splice(0).forEach((run) => run());
        await vi.dynamicImportSettled();
      }
    },
  };
}

test('while the window is idle one editor is made and dropped, and the next one is the first on screen', async () => {
  vi.resetModules();
  const opened: { host: unknown; text: string; isDropped: boolean }[] = [];
  vi.doMock(codeView, async (original) => ({
    ...(await original<object>()),
    openCodeView: (host: unknown, text: string) => {
      const one = { host, text, isDropped: false };
      opened.push(one);
      return { destroy: () => (one.isDropped = true) };
    },
  }));
  const { warmUpJsonEditor } = await import('../../../../src-renderer/composer/json-editor.tsx');
  await import('../../../../src-renderer/composer/one-input.tsx');
  const { loadPartsWhenIdle } = await import('../../../../src-renderer/design/lazy-part.ts');
  const aside = {};
  vi.stubGlobal('document', { createElement: () => aside });
  const idle = idleWindow();
  loadPartsWhenIdle();
  await idle.untilNothingIsLeft();
  expect(opened).toEqual([{ host: aside, text: '{"a": [1, "b"]}', isDropped: true }]);
  warmUpJsonEditor();
  expect(opened).toHaveLength(1);
});
