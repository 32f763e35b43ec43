import { expect, it } from 'vitest';
import { readActivation } from '../../../../src-main/desktop/notifications/toast-activation.ts';
import { toastXml } from '../../../../src-main/desktop/notifications/toast-xml.ts';
import { readToast } from '../../../electron-stand-in/toast-xml.ts';

const plain = { id: 'n7', title: 'fog completed', body: 'on Echo', isSilent: false, actions: [] };

it('a toast has its two lines, its buttons and its sound, and each click identifies itself', () => {
  const toast = readToast(toastXml({ ...plain, isSilent: true, actions: ['Retry', 'Resubmit with edits'] }));
  expect(toast).toEqual({
    launch: 'type=click&tag=n7',
    texts: ['fog completed', 'on Echo'],
    isSilent: true,
    actions: [
      { label: 'Retry', arguments: 'type=action&action=0&tag=n7' },
      { label: 'Resubmit with edits', arguments: 'type=action&action=1&tag=n7' },
    ],
  });
  expect(readActivation('click', toast?.launch ?? '', undefined)).toEqual({ id: 7, actions: [], actionIndex: null });
});

it('a toast of one line, with sound and no buttons has nothing else', () => {
  expect(toastXml({ ...plain, body: '' })).toBe(
    '<toast launch="type=click&amp;tag=n7"><visual><binding template="ToastGeneric"><text>fog completed</text>' +
      '</binding></visual></toast>',
  );
});

it('any text of a service or worker is drawn literally, and never refused as XML', () => {
  const words = `</text><action content="Pay" arguments="x"/> & &amp; <b>'bold'</b> "quoted" ]]> é 🎉`;
  const toast = readToast(toastXml({ ...plain, title: words, body: words, actions: [words] }));
  expect(toast).toMatchObject({ texts: [words, words], actions: [{ label: words }] });
  expect(toast?.actions).toHaveLength(1);
  // What XML has no place for becomes the sign for it.
  expect(readToast(toastXml({ ...plain, title: 'a\uD800b\uFFFEc' }))?.texts[0]).toBe('a\uFFFDb\uFFFDc');
});

it('the test’s reader refuses what Windows refuses, so that the other tests are reliable', () => {
  for (const xml of ['', 'text', '<toast>', '<toast></toast', '<toast>a & b</toast>', '<toast><text></toast></text>'])
    expect(readToast(xml)).toBeNull();
  expect(readToast('<toast launch="a&b"/>')).toBeNull();
  expect(readToast('<toast/><toast/>')).toBeNull();
  expect(readToast('<toast>\uD800</toast>')).toBeNull();
});
