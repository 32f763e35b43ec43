import { expect, it } from 'vitest';
import { isHttpUrl } from '../../../src-preload/http-url.ts';

it.each(['https://host.example', 'http://127.0.0.1:8080/a?b=c', ' HTTPS://host.example/x ', 'http://[::1]/'])(
  'accepts %s as an http address',
  (text) => expect(isHttpUrl(text)).toBe(true),
);

it.each([
  '',
  'host.example',
  'http:host.example',
  'https:/host.example',
  'https://',
  'http://a b',
  'ftp://host.example',
])('rejects %s as an http address', (text) => expect(isHttpUrl(text)).toBe(false));
