import { describe, expect, it } from 'vitest';
import {
  addEndpointIds,
  blankConnection,
  fieldsOf,
  isSameCheck,
  newFields,
  toConnectionDraft,
} from '../../../../src-renderer/settings/connection-form-state.ts';
import type { Connection } from '../../../../src-preload/connection.ts';
import { connectionDraft } from '../../../../src-preload/connection-schema.ts';

describe('the connection form', () => {
  it('adds several pasted ids at the same time and skips existing ones', () => {
    const once = addEndpointIds([], 'vq8x2k4m1dzt0p, w3k9q2v7hx\nvq8x2k4m1dzt0p');
    expect(once.map((endpoint) => endpoint.id)).toEqual(['vq8x2k4m1dzt0p', 'w3k9q2v7hx']);
    expect(addEndpointIds(once, 'w3k9q2v7hx ')).toEqual(once);
  });

  it('of a connection that is added again starts with the address its job was sent to', () => {
    expect(newFields({ baseUrl: 'https://q.example', endpointId: 'vq8x2k4m1dzt0p' })).toEqual({
      ...blankConnection,
      baseUrl: 'https://q.example',
      endpoints: [{ id: 'vq8x2k4m1dzt0p', label: '', flavour: 'unknown' }],
    });
    expect(newFields(null)).toEqual(blankConnection);
  });

  it('shows the answer of a check for the checked values, and for nothing else', () => {
    const asked = {
      ...blankConnection,
      baseUrl: 'https://q.example',
      key: 'one',
      endpoints: addEndpointIds([], 'text'),
    };
    const [text] = asked.endpoints.map((endpoint) => ({ ...endpoint, label: 'Llama' }));
    for (const same of [
      { ...asked },
      { ...asked, name: 'Production' },
      { ...asked, consoleUrl: 'https://console.example', logUrl: 'not finished' },
      { ...asked, baseUrl: 'https://q.example ' },
      { ...asked, endpoints: text === undefined ? [] : [text] },
    ])
      expect(isSameCheck(asked, same)).toBe(true);
    for (const other of [
      { ...asked, baseUrl: 'https://r.example' },
      { ...asked, key: 'two' },
      { ...asked, authorization: 'bare' as const },
      { ...asked, endpoints: addEndpointIds(asked.endpoints, 'image') },
      { ...asked, plainHttpOrigins: ['http://10.0.0.1'] },
      { ...asked, id: 'c2' },
    ])
      expect(isSameCheck(asked, other)).toBe(false);
  });

  it('includes the consents to http://, and no others', () => {
    const place = (host: string, isAgreed: boolean) => ({
      origin: `http://${host}`,
      host,
      carries: 'The key and all inputs and outputs',
      isAgreed,
    });
    const connection: Connection = {
      id: 'c1',
      name: 'Lab',
      baseUrl: 'http://10.0.0.7:8080',
      restUrl: 'http://10.0.0.8',
      authorization: 'bearer',
      endpoints: [],
      isSandbox: false,
      hasKey: true,
      plainHttp: [place('10.0.0.7:8080', true), place('10.0.0.8', false)],
      state: { kind: 'ready' },
      createdAtMs: 0,
    };
    expect(toConnectionDraft(fieldsOf(connection)).plainHttpOrigins).toEqual(['http://10.0.0.7:8080']);
  });

  it('never puts the key into the connection’s description', () => {
    const draft = toConnectionDraft({
      ...blankConnection,
      name: ' Production ',
      baseUrl: 'https://q.example',
      key: 'rpa_SECRET',
    });
    expect(JSON.stringify(draft)).not.toContain('rpa_SECRET');
    expect(connectionDraft.parse(draft).name).toBe('Production');
  });

  it('with more endpoints than a connection may have is refused in words', () => {
    const draft = toConnectionDraft({ ...blankConnection, name: 'Large', baseUrl: 'https://q.example' });
    const endpoints = Array.from({ length: 201 }, (_, at) => ({ id: `e${at}`, label: '', flavour: 'other' }));
    const checked = connectionDraft.safeParse({ ...draft, endpoints });
    expect(checked.error?.issues.map(({ message }) => message)).toEqual([
      'A connection has at most 200 endpoints. Save the others as another one.',
    ]);
  });
});
