import { expect, test } from 'vitest';
import { galleryStepOf } from '../../../../../src-renderer/job/media/images-view.tsx';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test('the arrow keys step through a gallery', () => {
  expect(galleryStepOf({ ...plain, key: 'ArrowRight' }, 'figure')).toBe(1);
  expect(galleryStepOf({ ...plain, key: 'ArrowLeft' }, 'button')).toBe(-1);
  expect(galleryStepOf({ ...plain, key: 'ArrowUp' }, 'figure')).toBe(0);
});

test('the keys of a player and of its slider, and chords such as Alt Left, are no steps', () => {
  for (const focused of ['input', 'audio', 'video'])
    expect(galleryStepOf({ ...plain, key: 'ArrowRight' }, focused), `${focused} has the focus`).toBe(0);
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey'])
    expect(galleryStepOf({ ...plain, [held]: true, key: 'ArrowLeft' }, 'figure'), `with ${held}`).toBe(0);
});
