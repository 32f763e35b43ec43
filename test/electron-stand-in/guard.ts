import { EventEmitter } from 'node:events';

/** Thrown when an app uses a part of Electron that the stand-in does not have. */
export class NotInStandIn extends Error {
  override readonly name = 'NotInStandIn';
  constructor(what: string) {
    super(
      `The Electron stand-in has no ${what}. Add it to test/electron-stand-in, or test it with the real Electron only.`,
    );
  }
}

/** Names that the language, promises, loggers and test runners read on any object. */
const askedOfAnyObject = new Set([
  'then',
  'toJSON',
  'inspect',
  'asymmetricMatch',
  'nodeType',
  'tagName',
  'domain',
  '$$typeof',
  '@@__IMMUTABLE_ITERABLE__@@',
]);

/** What of an object throws once it is destroyed. Its event emitter does not. */
export interface Mortal {
  isDestroyed: () => boolean;
  /** Electron's methods, which throw when they are called, and its properties, which throw when they are read. */
  lost: ReadonlySet<string>;
}

/**
 * Wraps `target` so that reading or writing a name it lacks throws `NotInStandIn` with the full name
 * (`app.setAsDefaultProtocolClient`), instead of being undefined or silently ignored. With `mortal`, what Electron keeps
 * in its native part throws once that is destroyed (function_template.h: ArgumentHolder).
 */
export function guard<T extends object>(name: string, target: T, mortal: Mortal | null = null): T {
  return new Proxy(target, {
    get(object, property, receiver) {
      if (typeof property === 'string' && !(property in object) && !askedOfAnyObject.has(property))
        throw new NotInStandIn(`${name}.${property}`);
      const isLost = typeof property === 'string' && mortal !== null && mortal.lost.has(property);
      if (!isLost || !mortal.isDestroyed()) return Reflect.get(object, property, receiver);
      if (typeof Reflect.get(object, property) === 'function') return refuseDestroyed;
      return refuseDestroyed();
    },
    set(object, property, value, receiver) {
      if (typeof property === 'string' && !(property in object)) throw new NotInStandIn(`${name}.${property} to set`);
      return Reflect.set(object, property, value, receiver);
    },
  });
}

function refuseDestroyed(): never {
  throw new TypeError('Object has been destroyed');
}

/** What Electron throws for an argument that it cannot convert (gin's Arguments: ThrowError). */
export function conversionFailure(index: number, given: unknown): TypeError {
  return new TypeError(`Error processing argument at index ${index}, conversion failure from ${String(given)}`);
}

/** A whole module of Electron that the stand-in lacks. Importing it works, any use throws by name. */
export function missing(name: string): object {
  const refuse = (): never => {
    throw new NotInStandIn(name);
  };
  // A function, so that it can be called and constructed.
  const target = function () {};
  return new Proxy(target, {
    get(object, property) {
      if (
        typeof property !== 'string' ||
        askedOfAnyObject.has(property) ||
        property === 'prototype' ||
        property === 'name'
      )
        return Reflect.get(object, property);
      throw new NotInStandIn(`${name}.${property}`);
    },
    apply: refuse,
    construct: refuse,
  });
}

/** Throws for any key of `options` that is not in `known`, so that no option is silently ignored. */
export function checkOptions(name: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options))
    if (!known.includes(key)) throw new NotInStandIn(`option "${key}" of ${name}`);
}

type Listener = (...args: unknown[]) => void;

/** An event emitter with a fixed list of events. Listening to any other throws by name. */
export class StandInEmitter extends EventEmitter {
  protected readonly emitterName: string;
  protected readonly knownEvents: ReadonlySet<string>;

  constructor(emitterName: string, events: readonly string[]) {
    super();
    this.emitterName = emitterName;
    this.knownEvents = new Set([...events, 'newListener', 'removeListener', 'error']);
    this.setMaxListeners(0);
  }

  override on(event: string, listener: Listener): this {
    return super.on(this.known(event), listener);
  }
  override addListener(event: string, listener: Listener): this {
    return super.addListener(this.known(event), listener);
  }
  override once(event: string, listener: Listener): this {
    return super.once(this.known(event), listener);
  }
  override prependListener(event: string, listener: Listener): this {
    return super.prependListener(this.known(event), listener);
  }

  protected known(event: string): string {
    if (!this.knownEvents.has(event)) throw new NotInStandIn(`event "${event}" of ${this.emitterName}`);
    return event;
  }
}

/** The event object for listeners. The emitter reads whether `preventDefault()` was called. */
export interface PreventableEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

/** A new preventable event with `details`. */
export function preventable<T extends object>(details: T): T & PreventableEvent {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true;
    },
  };
  return event;
}
