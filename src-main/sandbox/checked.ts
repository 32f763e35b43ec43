/** A checked value, or the one sentence that answers 400 (ruling 6). */
export type Checked<T> = { ok: true; value: T } | { ok: false; message: string };
