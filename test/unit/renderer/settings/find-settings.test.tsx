import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { NotificationSettings } from '../../../../src-renderer/notifications/notification-settings.tsx';
import { AboutPage } from '../../../../src-renderer/settings/about-page.tsx';
import { NetworkPage } from '../../../../src-renderer/settings/network-page.tsx';
import { Preferences } from '../../../../src-renderer/settings/preferences.tsx';
import { findSettings, settingPlaces } from '../../../../src-renderer/settings/find-settings.ts';
import { StoragePage } from '../../../../src-renderer/settings/storage-page.tsx';

/**
 * The names of lines, as a page shows them before anything is read. A line has a term or a switch. A section without
 * lines is a setting itself.
 */
function namesOn(page: FunctionComponent): string[] {
  const markup = renderToStaticMarkup(createElement(page));
  return markup.split('<h4').flatMap((section, at) => {
    const lines = [
      ...section.matchAll(/<dt><span[^>]*>([^<]+)</g),
      ...section.matchAll(/role="switch"[^>]*aria-label="([^"]+)"/g),
    ].map(([, name = '']) => name);
    const heading = at === 0 ? undefined : /^[^>]*>([^<]+)</.exec(section)?.[1];
    return lines.length > 0 || heading === undefined ? lines : [heading];
  });
}

describe('the search of the settings', () => {
  const pages = {
    preferences: Preferences,
    network: NetworkPage,
    storage: StoragePage,
    notifications: NotificationSettings,
    about: AboutPage,
  } as const;

  test.each(Object.entries(pages))('knows every setting on the page %s', (section, page) => {
    const known = new Set(settingPlaces.filter((place) => place.section === section).map(({ name }) => name));
    const names = namesOn(page);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test('finds a setting by its name or by another word for it, those with the word in their name first', () => {
    const found = (query: string): string[] => findSettings(settingPlaces, query).map(({ name }) => name);
    expect(found('trash')).toEqual(['Deleted jobs']);
    expect(found('sha')).toEqual(['Share of the rate limit', 'Share of simultaneous requests']);
    expect(found('retention')[0]).toBe('Retention');
    expect(found('nothing of this kind')).toEqual([]);
  });
});
