import { useEffect, useRef, useState, type FormEvent } from 'react';
import { currentRate, type EndpointCost } from '../../src-preload/cost.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/form/choice.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { endpointKey, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import { oneAtATime } from '../design/form/one-at-a-time.ts';
import { UnsavedNotice } from '../design/form/form-parts.tsx';
import { isLike, unsavedForms } from '../data/unsaved-forms.ts';
import { commonText } from '../messages/common.ts';
import { rateFormText, creditsProblemText } from '../messages/costs/endpoint-cost.ts';
import { showCost } from './rates.ts';
import { maxCreditsPerHour, maxLimitCredits } from '../../src-preload/bounds.ts';
import { withDecimalPoint } from '../data/decimal-text.ts';
import styles from './cost-card.module.css';

/** An amount that was entered. An empty field is null; an invalid one has a problem to show. */
type TypedCredits = { value: number | null } | { problem: string };

/** Reads an amount as people write it: `0.69`, `0,69`, `1 200`. It must be above 0 and at most `max`. Pure. */
function readCredits(text: string, max: number): TypedCredits {
  const trimmed = text.trim();
  if (trimmed === '') return { value: null };
  const plain = withDecimalPoint(trimmed);
  if (/,\d{3}$/.test(plain)) return { problem: creditsProblemText.decimalPoint };
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return { problem: creditsProblemText.notNumber };
  const value = Number(plain);
  if (value < 0) return { problem: creditsProblemText.negative };
  if (value === 0) return { problem: creditsProblemText.zero };
  if (!Number.isFinite(value) || value > max) return { problem: creditsProblemText.tooMuch(max) };
  return { value };
}

/** As `readCredits`, for a rate. */
export function readRate(text: string): TypedCredits {
  return readCredits(text, maxCreditsPerHour);
}

/** As `readCredits`, for a limit. */
function readLimit(text: string): TypedCredits {
  return readCredits(text, maxLimitCredits);
}

interface RateFormProps {
  connectionId: string;
  endpointId: string;
  /** The saved rate and limits. */
  cost: EndpointCost | null;
  onDone: () => void;
}

const problemOf = (typed: TypedCredits): string | null => ('problem' in typed ? typed.problem : null);
const text = (credits: number | null | undefined): string => (credits == null ? '' : String(credits));

interface RateFields {
  rate: string;
  perJob: string;
  perDay: string;
}

const unsaved = unsavedForms<RateFields>({ kind: 'rate', isForm: isLike({ rate: '', perJob: '', perDay: '' }) });

interface WantedCost {
  /** Credits per hour. Null: none. */
  rate: number | null;
  /** The rate also applies to jobs that ran before. */
  isForEarlier: boolean;
  limits: EndpointCost['limits'];
}

/** Saves what differs from `saved`, first the rate. Returns why one of them could not be saved, or null. */
async function saveCost(at: EndpointRef, saved: EndpointCost | null, wanted: WantedCost): Promise<Failure | null> {
  const { rate, isForEarlier, limits } = wanted;
  const current = saved === null ? null : currentRate(saved.rates);
  if (rate !== current || (isForEarlier && current !== null)) {
    const source = { kind: 'typed' } as const;
    const priced = await call('cost:setRate', { ...at, creditsPerHour: rate, source, isForEarlier });
    if (!priced.ok) return priced.failure;
    showCost(priced.value);
  }
  if (limits.perJob !== (saved?.limits.perJob ?? null) || limits.perDay !== (saved?.limits.perDay ?? null)) {
    const limited = await call('cost:setLimits', { ...at, limits });
    if (!limited.ok) return limited.failure;
    showCost(limited.value);
  }
  return null;
}

/** The form for an endpoint's rate and limits. A problem is shown at its field, and the entered text stays. */
export function RateForm({ connectionId, endpointId, cost, onDone }: RateFormProps) {
  const current = cost === null ? null : currentRate(cost.rates);
  const form = endpointKey({ connectionId, endpointId });
  const {
    fields: typed,
    change: setTyped,
    isBack,
  } = unsaved.useForm(form, {
    rate: text(current),
    perJob: text(cost?.limits.perJob),
    perDay: text(cost?.limits.perDay),
  });
  const [once] = useState(oneAtATime);
  const end = (): void => {
    unsaved.end(form);
    onDone();
  };
  const [isForEarlier, setForEarlier] = useState(current === null);
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const rate = readRate(typed.rate);
  const perJob = readLimit(typed.perJob);
  const perDay = readLimit(typed.perDay);
  const shown = (of: TypedCredits, value: string): string | null => (isTried || value !== '' ? problemOf(of) : null);

  const save = async (): Promise<void> => {
    setTried(true);
    if ('problem' in rate || 'problem' in perJob || 'problem' in perDay) return;
    const refused = await saveCost({ connectionId, endpointId }, cost, {
      rate: rate.value,
      isForEarlier,
      limits: { perJob: perJob.value, perDay: perDay.value },
    });
    if (refused !== null) return setFailure(refused);
    end();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void once(save);
  };

  const element = useRef<HTMLFormElement>(null);
  // The field with the focus is in sight, but the button that saves may be below.
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' });
  }, []);

  return (
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      <TextField
        size="sm"
        label={rateFormText.rate}
        inputMode="decimal"
        placeholder={rateFormText.noRate}
        value={typed.rate}
        autoFocus
        onChange={(value) => setTyped({ ...typed, rate: value })}
        problem={shown(rate, typed.rate)}
        hint={rateFormText.rateHint}
      />
      <Checkbox label={rateFormText.priceEarlier} isOn={isForEarlier} onChange={setForEarlier} />
      <div className={styles.limits}>
        <TextField
          size="sm"
          label={rateFormText.warnPerJob}
          inputMode="decimal"
          placeholder={rateFormText.never}
          value={typed.perJob}
          onChange={(value) => setTyped({ ...typed, perJob: value })}
          problem={shown(perJob, typed.perJob)}
        />
        <TextField
          size="sm"
          label={rateFormText.warnPerDay}
          inputMode="decimal"
          placeholder={rateFormText.never}
          value={typed.perDay}
          onChange={(value) => setTyped({ ...typed, perDay: value })}
          problem={shown(perDay, typed.perDay)}
        />
      </div>
      {isBack && <UnsavedNotice className={styles.cap} />}
      {failure !== null && (
        <p className={styles.problem} role="alert">
          {failure.message}
        </p>
      )}
      <div className={styles.buttons}>
        <Button size="sm" variant="ghost" onClick={end}>
          {commonText.cancel}
        </Button>
        <Button size="sm" type="submit">
          {rateFormText.save}
        </Button>
      </div>
    </form>
  );
}
