import type { AddressNeeds } from '../../src-preload/connection.ts';
import { useCall } from '../data/calls.ts';
import { useSettled } from '../design/use-settled.ts';
import type { ConnectionFields } from './connection-form-state.ts';

const nothing: AddressNeeds = { key: null, plainHttp: [] };
/** An address that is being typed is judged when the typing pauses. */
const pauseMs = 120;

/** What the addresses in the form ask of the user before anything is sent there (ruling 44). Nothing is sent by it. */
export function useAddressNeeds({ id, ...typed }: Pick<ConnectionFields, 'id' | 'baseUrl' | 'restUrl'>): AddressNeeds {
  const baseUrl = useSettled(typed.baseUrl, pauseMs);
  const restUrl = useSettled(typed.restUrl, pauseMs);
  const { data } = useCall(
    'connection:addressNeeds',
    { baseUrl, restUrl, ...(id !== null && { connectionId: id }) },
    { placeholder: (former) => former, isFailureToast: true },
  );
  return data ?? nothing;
}
