import { useEffect, useState } from 'react';
import type { AddressNeeds } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { useSession } from '../data/session-store.ts';
import type { ConnectionFields } from './connection-form-state.ts';

const nothing: AddressNeeds = { key: null, plainHttp: [] };
/** An address that is being typed is judged when the typing pauses. */
const pauseMs = 120;

/** What the addresses in the form ask of the user before anything is sent there (ruling 44). Nothing is sent by it. */
export function useAddressNeeds(fields: Pick<ConnectionFields, 'id' | 'baseUrl' | 'restUrl'>): AddressNeeds {
  const { id, baseUrl, restUrl } = fields;
  const [needs, setNeeds] = useState(nothing);
  // A key that was typed or deleted changes what is asked for.
  const connections = useSession((state) => state.connections);
  useEffect(() => {
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const typed = { baseUrl, restUrl };
      const read = await call('connection:addressNeeds', id === null ? typed : { ...typed, connectionId: id });
      if (isCurrent) setNeeds(read.ok ? read.value : nothing);
    };
    const timer = setTimeout(() => void ask(), pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id, baseUrl, restUrl, connections]);
  return needs;
}
