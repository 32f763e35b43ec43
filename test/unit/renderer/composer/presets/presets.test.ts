import { describe, expect, it } from 'vitest';
import { maxPresets } from '../../../../../src-preload/bounds.ts';
import { presets as presetsShape } from '../../../../../src-preload/preset-schema.ts';
import type { Preset } from '../../../../../src-preload/settings.ts';
import { emptyDraft, type ComposerDraft } from '../../../../../src-renderer/composer/composer-draft.ts';
import {
  editsSince,
  fieldsOf,
  keysOf,
  mergedInput,
  presetNamed,
  presetProblem,
  presetsFor,
  presetsOfKind,
  withKeysOf,
  withPreset,
} from '../../../../../src-renderer/composer/presets/presets.ts';
import { newVariable } from '../../../../../src-renderer/composer/variables/variable.ts';

const draft: ComposerDraft = {
  ...emptyDraft('c', 'image'),
  inputText: '{"seed": {{seed}}}',
  operation: 'runsync',
  waitText: '2 min',
  ttlText: '1 h',
  isLowPriority: true,
  webhook: 'https://example.test/h',
  s3ProfileId: 's3-1',
  tagsText: 'night, seeds',
  variables: [{ ...newVariable('seed'), kind: 'list', list: ['1', '2'] }],
};
const preset = (changes: Partial<Preset> = {}): Preset => ({
  id: 'p1',
  name: 'Product shot',
  connectionId: 'c',
  endpointId: 'image',
  flavour: null,
  usedCount: 0,
  savedAtMs: 1,
  fields: fieldsOf(draft),
  ...changes,
});

describe('a preset', () => {
  it('restores every field except its destination, and says that it was loaded', () => {
    const elsewhere = emptyDraft('c2', 'other');
    expect(withPreset(elsewhere, preset())).toEqual({
      ...draft,
      connectionId: 'c2',
      endpointId: 'other',
      presetId: 'p1',
    });
    expect(presetsShape.parse([preset()])).toEqual([preset()]);
  });

  it('counts the edits since it was saved', () => {
    const loaded = withPreset(draft, preset());
    expect(editsSince(loaded, preset())).toBe(0);
    expect(editsSince({ ...loaded, ttlText: '2 h' }, preset())).toBe(1);
    expect(editsSince({ ...loaded, variables: [], inputText: '{}' }, preset())).toBe(2);
    // Where it goes is no edit.
    expect(editsSince({ ...loaded, endpointId: 'other' }, preset())).toBe(0);
  });

  it('belongs to its endpoint and is found by its name', () => {
    const all = [preset(), preset({ id: 'p2', endpointId: 'text' }), preset({ id: 'p3', connectionId: 'c2' })];
    expect(presetsFor(all, draft).map(({ id }) => id)).toEqual(['p1']);
    expect(presetNamed(all, ' product SHOT ')?.id).toBe('p1');
    expect(presetNamed(all, 'Product')).toBeNull();
  });

  it('is not created from an input that is too large, nor beyond the maximum number', () => {
    const all = Array.from({ length: maxPresets }, (_, at) => preset({ id: String(at) }));
    expect(presetProblem(all, draft, false)).toBeNull();
    expect(presetProblem(all, draft, true)).toMatch(/Delete one first/);
    expect(presetProblem([], { ...draft, inputText: 'x'.repeat(100_001) }, true)).toMatch(/up to 100,000 characters/);
    expect(presetsShape.safeParse([...all, preset()]).success).toBe(false);
  });
});

describe('a preset of a flavour of endpoints', () => {
  const ofImages = preset({
    flavour: 'image',
    connectionId: 'elsewhere',
    fields: { ...fieldsOf(draft), inputText: '{"size": "xl", "seed": {{seed}}}' },
  });

  it('is offered to that flavour only, and not among those of one endpoint', () => {
    expect(presetsOfKind([ofImages, preset()], 'image')).toEqual([ofImages]);
    expect(presetsOfKind([ofImages], 'text')).toEqual([]);
    expect(presetsOfKind([preset({ flavour: 'unknown' })], 'unknown')).toEqual([]);
    expect(presetsFor([{ ...ofImages, connectionId: 'c' }], { connectionId: 'c', endpointId: 'image' })).toEqual([]);
  });

  it('merges its keys and variables into the input, value by value as written', () => {
    const mine = {
      ...emptyDraft('c', 'image'),
      inputText: '{"prompt": "A {{object}}", "size": 1.0, "n": 12345678901234567890}',
    };
    const merged = withKeysOf(mine, ofImages);
    expect(merged?.inputText).toBe(
      '{\n  "prompt": "A {{object}}",\n  "size": "xl",\n  "n": 12345678901234567890,\n  "seed": {{seed}}\n}',
    );
    expect(merged?.variables).toEqual(draft.variables);
    expect(merged?.ttlText).toBe('');
    expect(keysOf(ofImages)).toBe(2);
  });

  it('merges nothing if one of both is not an object', () => {
    expect(mergedInput('{"a": ', '{"b": 1}')).toBeNull();
    expect(mergedInput('{"a": 1}', '[1]')).toBeNull();
  });
});
