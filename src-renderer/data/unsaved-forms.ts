import { useState } from 'react';
import { create } from 'zustand';

/** The content of a form on screen. */
interface UnsavedForm<T> {
  fields: T;
  change: (fields: T) => void;
  /** It was typed before the form was closed, and is shown again. */
  isBack: boolean;
}

export interface UnsavedForms<T> {
  /** A form by its name, for a component. `start`: what it shows while nothing was typed into it. */
  useForm: (form: string, start: T) => UnsavedForm<T>;
  /** What was typed into a form and is not saved. Undefined: nothing. */
  typedIn: (form: string) => T | undefined;
  put: (form: string, fields: T) => void;
  /** It was saved or discarded: the next time it starts without it. */
  end: (form: string) => void;
}

/**
 * What was typed into forms of one kind and is not saved. It stays when such a form is closed by Escape, by a click
 * beside it or because something else is shown, and is there when it is opened again. Not for secrets.
 */
export function unsavedForms<T>(): UnsavedForms<T> {
  const useTyped = create<ReadonlyMap<string, T>>(() => new Map());
  const put = (form: string, fields: T): void =>
    useTyped.setState(new Map(useTyped.getState()).set(form, fields), true);
  const typedIn = (form: string): T | undefined => useTyped.getState().get(form);
  return {
    typedIn,
    put,
    end: (form) => useTyped.setState(new Map([...useTyped.getState()].filter(([name]) => name !== form)), true),
    useForm: (form, start) => {
      const typed = useTyped((state) => state.get(form));
      const [isBack] = useState(() => typedIn(form) !== undefined);
      return { fields: typed ?? start, change: (fields) => put(form, fields), isBack: isBack && typed !== undefined };
    },
  };
}
