import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CostCard } from '../../../../src-renderer/costs/cost-card.tsx';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { NotificationCentre } from '../../../../src-renderer/notifications/notification-centre.tsx';
import { PurgeCard } from '../../../../src-renderer/purge/purge-card.tsx';

/** What a part of a window says, without tags. */
function said(part: ReactElement): string {
  return renderToStaticMarkup(part).replaceAll(/<[^>]*>/g, ' ');
}

const endpoint = { connectionId: 'c1', endpointId: 'text' };

test('an endpoint whose rates are not read yet does not say that it has none, and offers no form to set one', () => {
  expect(said(createElement(CostCard, endpoint))).not.toMatch(/No rate|Set a/);
  queries.setQueryData(['cost:list', { connectionId: null }], []);
  expect(said(createElement(CostCard, endpoint))).toMatch(/Set a rate.*No rate/s);
});

test('the purge card does not say that nothing was purged before its log is read', () => {
  expect(said(createElement(PurgeCard, endpoint))).not.toContain('No purges yet');
  const allowance = { used: 0, of: 2, lockedUntilMs: null };
  queries.setQueryData(['purge:log', endpoint], { allowance, purges: [] });
  expect(said(createElement(PurgeCard, endpoint))).toContain('No purges yet');
});

test('the notification centre does not say that there is nothing before it has read what is in progress', () => {
  const centre = createElement(NotificationCentre, { onOpen: () => {}, onSettings: () => {}, onClose: () => {} });
  queries.setQueryData(['notification:list', { beforeId: null, limit: 100 }], { notifications: [], hasMore: false });
  expect(said(centre)).not.toContain('Nothing to report yet');
  queries.setQueryData(['notification:ongoing', undefined], []);
  expect(said(centre)).toContain('Nothing to report yet');
});
