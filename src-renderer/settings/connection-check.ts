import { useEffect } from 'react';
import { create } from 'zustand';
import type { ConnectionCheck } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { checkedFields, isSameCheck, toConnectionDraft, type ConnectionFields } from './connection-form-state.ts';

/** A check with the fields it was made for, because its result does not apply to others. */
interface LastCheck {
  of: ConnectionFields;
  isChecking: boolean;
  /** The last result stays until the next check has answered. */
  checks: ConnectionCheck[] | null;
  problem: string | null;
}

const notChecked = { isChecking: false, checks: null, problem: null } as const;

/** The last check of the form on screen. Not in its state: the form of a new connection ends when that is saved. */
const useLastCheck = create<{ last: LastCheck | null }>(() => ({ last: null }));

export interface ConnectionChecking extends Omit<LastCheck, 'of'> {
  check: () => Promise<void>;
}

/** Reads each endpoint's health once when it is asked to. */
export function useConnectionCheck(fields: ConnectionFields): ConnectionChecking {
  const last = useLastCheck((state) => state.last);
  const { id } = fields;
  // The fields of a check contain the key.
  useEffect(() => () => useLastCheck.setState(({ last: left }) => ({ last: left?.of.id === id ? null : left })), [id]);
  const { isChecking, checks, problem } = last !== null && isSameCheck(last.of, fields) ? last : notChecked;
  const check = async (): Promise<void> => {
    useLastCheck.setState({ last: { of: fields, isChecking: true, checks, problem } });
    const result = await call('connection:check', {
      ...(fields.id === null ? {} : { connectionId: fields.id }),
      draft: toConnectionDraft(checkedFields(fields)),
      ...(fields.key === '' ? {} : { key: fields.key }),
    });
    // Another check was started in the meantime, or the form is gone.
    useLastCheck.setState(({ last: now }) => ({
      last:
        now?.of === fields
          ? {
              of: fields,
              isChecking: false,
              checks: result.ok ? result.value : null,
              problem: result.ok ? null : result.failure.message,
            }
          : now,
    }));
  };
  return { isChecking, checks, problem, check };
}

/** `sent` was saved and is now shown as `saved`: what was checked of it is still true. */
export function keepCheckOf(sent: ConnectionFields, saved: ConnectionFields): void {
  useLastCheck.setState(({ last }) => ({
    last: last !== null && isSameCheck(last.of, sent) ? { ...last, of: saved } : last,
  }));
}

/** Checks with the same problem, in the order of their first: one wrong key is one problem of all endpoints. Pure. */
export function groupChecks(
  checks: readonly ConnectionCheck[],
): { problem: string | null; checks: ConnectionCheck[] }[] {
  const groups = new Map<string | null, ConnectionCheck[]>();
  for (const check of checks) groups.set(check.problem, [...(groups.get(check.problem) ?? []), check]);
  return [...groups].map(([problem, those]) => ({ problem, checks: those }));
}
