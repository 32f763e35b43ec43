import type { NamedCause } from '../../src-preload/failure-cause.ts';
import { useCall } from '../data/calls.ts';
import type { FilterToken } from '../data/parse-filter.ts';
import { useCurrentConnection } from '../data/session-store.ts';

const none: readonly NamedCause[] = [];

/** The causes of the connection's failures by name. Empty while `isWanted` is false. */
export function useCauseNames(isWanted: boolean): readonly NamedCause[] {
  const connectionId = useCurrentConnection()?.id;
  return useCall('failure:names', isWanted && connectionId !== undefined ? { connectionId } : null).data ?? none;
}

/** The text of a token's value: for a cause, its message instead of its number. */
export function tokenValueText({ field, value }: FilterToken, causes: readonly NamedCause[]): string {
  if (field !== 'cause') return value;
  return causes.find(({ id }) => String(id) === value)?.message ?? value;
}
