import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { parseJson } from '../../src-preload/json-spans.ts';
import { call } from '../bridge.ts';
import { hint } from '../call-or-report.ts';

/**
 * Calls `save` when the window closes, is loaded again, or Jobdeck quits: it can still send what waits to be saved, and
 * main answers such calls before it ends. Returns the function that stops it.
 */
export function beforeLeaving(save: () => void): () => void {
  window.addEventListener('pagehide', save);
  return () => window.removeEventListener('pagehide', save);
}

/** The content of a form on screen. */
interface UnsavedForm<T> {
  fields: T;
  change: (fields: T) => void;
  /** It was typed before the form was closed, and is shown again. */
  isBack: boolean;
}

export interface UnsavedForms<T> {
  /**
   * A form by its name, for a component. `start`: what it shows while nothing was typed into it. A form that is changed
   * back to its start has nothing unsaved.
   */
  useForm: (form: string, start: T) => UnsavedForm<T>;
  /** What was typed into a form and is not saved. Undefined: nothing. */
  typedIn: (form: string) => T | undefined;
  put: (form: string, fields: T) => void;
  /** It was saved or discarded: the next time it starts without it. */
  end: (form: string) => void;
  /** Reads what was typed into a form before this window was loaded. Resolves with whether there was anything. */
  restore: (form: string) => Promise<boolean>;
}

/** Whether a form shows what it started with. Fields are plain data. */
function isSame<T>(fields: T, start: T): boolean {
  return JSON.stringify(fields) === JSON.stringify(start);
}

interface FormsInput<T> {
  /** What they are called on disk. */
  kind: string;
  /** Whether a value from the disk can be the content of such a form: another version may have written it. */
  isForm: (saved: unknown) => saved is T;
  /** The fields without what must not be on disk unsealed. Left out: there is no such field. */
  withoutSecrets?: (fields: T) => T;
}

const saveAfterMs = 300;
const maxSlotChars = 400;

/**
 * What was typed into forms of one kind and is not saved. It stays when such a form is closed by Escape, by a click
 * beside it or because something else is shown, and is there when it is opened again, even after a crash or a restart.
 * Secrets are never on disk; only a form that is on screen has them.
 */
export function unsavedForms<T>({ kind, isForm, withoutSecrets = (fields) => fields }: FormsInput<T>): UnsavedForms<T> {
  const useTyped = create<ReadonlyMap<string, T>>(() => new Map());
  const typedIn = (form: string): T | undefined => useTyped.getState().get(form);
  /** Forms that were typed into or ended in this window: what is on disk is older. */
  const touched = new Set<string>();
  const restored = new Map<string, Promise<boolean>>();
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const slotOf = (form: string): string => ['form', kind, form].join(' ').slice(0, maxSlotChars);

  const saveNow = (form: string): void => {
    clearTimeout(waiting.get(form));
    waiting.delete(form);
    const fields = typedIn(form);
    hint('draft:save', {
      slot: slotOf(form),
      text: fields === undefined ? '' : JSON.stringify(withoutSecrets(fields)),
    });
  };
  const saveSoon = (form: string): void => {
    if (touched.size === 0) beforeLeaving(() => [...waiting.keys()].forEach(saveNow));
    touched.add(form);
    clearTimeout(waiting.get(form));
    waiting.set(
      form,
      setTimeout(() => saveNow(form), saveAfterMs),
    );
  };
  const set = (form: string, fields: T): void =>
    useTyped.setState(new Map(useTyped.getState()).set(form, fields), true);
  const put = (form: string, fields: T): void => {
    set(form, fields);
    saveSoon(form);
  };
  const end = (form: string): void => {
    useTyped.setState(new Map([...useTyped.getState()].filter(([name]) => name !== form)), true);
    saveSoon(form);
  };
  const read = async (form: string): Promise<boolean> => {
    const saved = await call('draft:load', { slot: slotOf(form) });
    // A form that could not be read is read again the next time it is opened.
    if (!saved.ok) restored.delete(form);
    if (!saved.ok || saved.value === null || touched.has(form)) return false;
    const fields = parseJson(saved.value.text);
    if (!isForm(fields)) return false;
    set(form, fields);
    return true;
  };
  const restore = (form: string): Promise<boolean> => {
    const reading = restored.get(form) ?? read(form);
    restored.set(form, reading);
    return reading;
  };
  return {
    typedIn,
    put,
    end,
    restore,
    useForm: (form, start) => {
      const typed = useTyped((state) => state.get(form));
      const [isBack, setBack] = useState(() => typedIn(form) !== undefined);
      useEffect(() => {
        let isShown = true;
        void restore(form).then((wasThere) => {
          if (wasThere && isShown) setBack(true);
        });
        return () => {
          isShown = false;
        };
      }, [form]);
      const change = (fields: T): void => (isSame(fields, start) ? end(form) : put(form, fields));
      return { fields: typed ?? start, change, isBack: isBack && typed !== undefined };
    },
  };
}

/**
 * Whether a value has the fields of an example, each of the same kind. A list must consist of values like the first one
 * of the example's list; null in the example also stands for a text.
 */
export function isLike<T>(example: T): (value: unknown) => value is T {
  return (value): value is T => isAlike(example, value);
}

function isAlike(example: unknown, value: unknown): boolean {
  if (example === null) return value === null || typeof value === 'string';
  if (Array.isArray(example)) return Array.isArray(value) && value.every((each) => isAlike(example[0], each));
  if (typeof example !== 'object') return typeof value === typeof example;
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(example).every(([name, each]) => isAlike(each, fields.get(name)));
}
