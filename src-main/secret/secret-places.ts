import type { KeyPlace, KeyStorage } from '../../src-preload/connection.ts';
import type { Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { within } from '../time/timers.ts';
import {
  createKeychain,
  patienceMs,
  type Keychain,
  type Keytar,
  type SecretPlace,
  type StorageFailure,
} from './keychain.ts';
import { createSafeStoragePlace, type AsyncSafeStorage, type SafeStoragePlace } from './safe-storage.ts';
import { sealedFile, type SecretFiles } from './secret-index.ts';
import { createSessionPlace, type SessionPlace } from './session-place.ts';
import { noPlaceText, placeTexts } from '../messages/secret.ts';

export interface SecretPlacesParts {
  /** Rejects if keytar is not installed or does not load. */
  loadKeytar: () => Promise<Keytar>;
  /** Null without Electron. */
  safeStorage: AsyncSafeStorage | null;
  files: SecretFiles;
  log: Log;
  /** The name of the entries in the system's keychain window. */
  serviceName: string;
  /** How long to wait for a place's first answer, which it may also give later. Milliseconds. */
  checkLimitMs: number;
  /** How long a later call may take, while the user may be entering a password. Milliseconds. */
  callLimitMs: number;
  after: Clock['after'];
  /** A place that did not answer before answers now. */
  onAnswering: () => void;
  /** What is known of the places changed. */
  onChange: () => void;
}

/** Strongest first. */
const keyPlaces = ['keychain', 'safe-storage', 'session'] as const satisfies readonly KeyPlace[];

/**
 * Where secrets can be kept on this computer, and which place new ones go to: the strongest that answers, but none
 * stronger than the user wants. This is found out while the app starts, which does not wait for a keychain that hangs.
 */
export class SecretPlaces {
  readonly session: SessionPlace = createSessionPlace();
  readonly #parts: SecretPlacesParts;
  readonly #sealed: SafeStoragePlace | null;
  #keychain: Keychain | null = null;
  /** Null if it is neither loaded nor being loaded. */
  #loading: Promise<Keychain | null> | null = null;
  #isKeychainLate = false;
  #isSafeStorageLate = false;
  /** Why a place cannot be used. Null if it can, undefined while that is not known yet. */
  readonly #problems: Record<KeyPlace, string | null | undefined> = {
    keychain: undefined,
    'safe-storage': undefined,
    session: null,
  };
  #wanted: KeyPlace = 'keychain';
  /** Which places may be waiting for the user. */
  readonly #waiting = new Set<'keychain' | 'safe-storage'>();
  #found: Promise<void> | null = null;

  constructor(parts: SecretPlacesParts) {
    this.#parts = parts;
    const { safeStorage, files, callLimitMs, after, log } = parts;
    this.#sealed =
      safeStorage === null
        ? null
        : createSafeStoragePlace({ safeStorage, files, fileName: sealedFile, limitMs: callLimitMs, after, log });
    if (this.#sealed === null) this.#problems['safe-storage'] = noPlaceText.cannotEncrypt;
  }

  /** Null if keytar did not load, or has not yet (`isKeychainLate`). */
  async keychain(): Promise<Keychain | null> {
    await this.find();
    return this.#keychain;
  }

  /** Whether there may be a keychain that has not answered yet. */
  get isKeychainLate(): boolean {
    return this.#isKeychainLate;
  }

  /** The place for encrypted files. Null if this computer has none. */
  get sealed(): SafeStoragePlace | null {
    return this.#sealed;
  }

  /** Finds out once which places there are. Takes no longer than the limits of the checks. */
  find(): Promise<void> {
    return (this.#found ??= this.#findNow());
  }

  /** Sets the strongest place that new secrets may go to. */
  async want(wanted: KeyPlace): Promise<void> {
    this.#wanted = wanted;
    await this.find();
    if (this.#problems[this.best().kind] === undefined || this.#isSafeStorageNeeded()) await this.#checkSafeStorage();
    this.#parts.onChange();
  }

  /** The place for new secrets. */
  best(): SecretPlace {
    for (const kind of keyPlaces) {
      if (keyPlaces.indexOf(kind) < keyPlaces.indexOf(this.#wanted) || this.#problems[kind] !== null) continue;
      const place = { keychain: this.#keychain, 'safe-storage': this.#sealed, session: this.session }[kind];
      if (place !== null) return place;
    }
    return this.session;
  }

  /** Checks an unusable place again. Returns why it still cannot be used, or null. */
  async checkAgain(kind: KeyPlace): Promise<string | null> {
    await this.find();
    if (kind === 'keychain' && this.#problems.keychain !== null) await this.#checkKeychain();
    if (kind === 'safe-storage' && this.#problems['safe-storage'] !== null) await this.#checkSafeStorage();
    return this.#problems[kind] ?? null;
  }

  /** Everything that is shown of them. `count`: how many secrets are in each. */
  storage(count: (kind: KeyPlace) => number): KeyStorage {
    const { kind } = this.best();
    const isMissed = kind === 'session' && this.#wanted !== 'session';
    return {
      kind,
      explanation: isMissed ? this.#explainMissed() : placeTexts[kind],
      isWaiting: this.#waiting.size > 0,
      places: keyPlaces.map((place) => ({
        kind: place,
        secrets: count(place),
        problem: this.#problems[place] ?? null,
      })),
    };
  }

  /** Why keys are in memory though the user wants them kept. */
  #explainMissed(): string {
    if (this.#isKeychainLate) return noPlaceText.untilKeychainResponds;
    if (this.#isSafeStorageLate) return noPlaceText.untilSafeStorageResponds;
    const problem = this.#problems[this.#wanted];
    return typeof problem === 'string' ? `${problem} ${placeTexts.session}` : placeTexts.session;
  }

  async #findNow(): Promise<void> {
    await this.#checkKeychain();
    if (this.#isSafeStorageNeeded()) await this.#checkSafeStorage();
    this.#parts.onChange();
  }

  /** Only if needed, because on some systems the first call asks the user. */
  #isSafeStorageNeeded(): boolean {
    const isNeeded = this.#problems.keychain !== null || this.#wanted === 'safe-storage';
    return isNeeded && this.#problems['safe-storage'] === undefined;
  }

  async #checkKeychain(): Promise<void> {
    if (this.#loading === null) {
      const loading = this.#loadKeychain();
      this.#loading = loading;
      const { checkLimitMs, after } = this.#parts;
      if (
        (await within(
          loading.then(() => 'loaded'),
          checkLimitMs,
          after,
        )) === null
      ) {
        this.#parts.log.warn('The keychain loads late');
        this.#noteKeychain('late');
        void loading.then(() => this.#keychainIsLoaded());
        return;
      }
    }
    this.#keychain = await this.#loading;
    if (this.#keychain === null) {
      // Another try loads it again.
      this.#loading = null;
      this.#noteKeychain('absent');
    } else this.#noteKeychain(await this.#keychain.check(this.#parts.checkLimitMs, () => this.#keychainAnswers()));
  }

  #noteKeychain(answer: 'there' | 'absent' | 'late'): void {
    this.#isKeychainLate = answer === 'late';
    const problems = { there: null, late: noPlaceText.keychainLate, absent: noPlaceText.noKeychain };
    this.#problems.keychain = problems[answer];
  }

  /** On a busy computer it is loaded after the app has started: keys saved until then are in memory. */
  async #keychainIsLoaded(): Promise<void> {
    await this.#checkKeychain();
    this.#parts.onChange();
    if (this.#problems.keychain === null) this.#parts.onAnswering();
  }

  #keychainAnswers(): void {
    this.#isKeychainLate = false;
    this.#problems.keychain = null;
    this.#parts.onChange();
  }

  async #checkSafeStorage(): Promise<void> {
    if (this.#sealed === null) return;
    const { checkLimitMs, after, log } = this.#parts;
    const timer = after(patienceMs, () => this.#setWaiting('safe-storage', true));
    const works: Result<'there' | 'late', StorageFailure> = await this.#sealed.check(checkLimitMs, (isAvailable) =>
      this.#safeStorageAnswers(isAvailable),
    );
    this.#isSafeStorageLate = works.ok && works.value === 'late';
    if (!works.ok) log.info('Safe storage is not used', { failure: works.failure });
    this.#problems['safe-storage'] = works.ok
      ? this.#isSafeStorageLate
        ? noPlaceText.safeStorageLate
        : null
      : works.failure.message;
    if (this.#isSafeStorageLate) return;
    timer.cancel();
    this.#setWaiting('safe-storage', false);
  }

  #safeStorageAnswers(isAvailable: boolean): void {
    this.#isSafeStorageLate = false;
    this.#problems['safe-storage'] = isAvailable ? null : noPlaceText.cannotEncrypt;
    this.#setWaiting('safe-storage', false);
    this.#parts.onChange();
    if (isAvailable) this.#parts.onAnswering();
  }

  #setWaiting(place: 'keychain' | 'safe-storage', isWaiting: boolean): void {
    if (this.#waiting.has(place) === isWaiting) return;
    if (isWaiting) this.#waiting.add(place);
    else this.#waiting.delete(place);
    this.#parts.onChange();
  }

  async #loadKeychain(): Promise<Keychain | null> {
    const { loadKeytar, serviceName, callLimitMs, after, onAnswering, log } = this.#parts;
    const [loaded] = await Promise.allSettled([loadKeytar()]);
    if (loaded.status === 'fulfilled')
      return createKeychain({
        keytar: loaded.value,
        serviceName,
        limitMs: callLimitMs,
        after,
        onAnswering,
        onWaiting: (isWaiting) => this.#setWaiting('keychain', isWaiting),
        log,
      });
    log.info('There is no keychain to use', { reason: errorText(loaded.reason) });
    return null;
  }
}
