import {
  ArrowDownWideNarrow,
  Bell,
  BellOff,
  BellRing,
  Info,
  Monitor,
  Network,
  Plug,
  Power,
  RefreshCw,
  Settings as SettingsIcon,
} from 'lucide-react';
import { isUndisturbed } from '../../src-preload/notification.ts';
import type { JobSort } from '../../src-preload/history.ts';
import { callOrReport } from '../call-or-report.ts';
import { setSort } from '../data/jobs-store.ts';
import { chooseSettings, useSession } from '../data/session-store.ts';
import { useSettingsDialog } from '../navigation/settings-store.ts';
import { useShell } from '../navigation/shell-store.ts';
import type { Command } from './command.ts';

/** Commands for the app as a whole: notifications, pages of the settings, the list's order, updates and quitting. */
export function appCommands(): Command[] {
  return [...notificationCommands(), ...settingsPages(), ...orderCommands(), ...endCommands()];
}

function notificationCommands(): Command[] {
  const isQuiet = isUndisturbed(useSession.getState().settings.doNotDisturb, Date.now());
  return [
    {
      id: 'app.notifications',
      group: 'run',
      label: 'Notifications',
      hint: 'everything Jobdeck reported',
      keywords: ['bell', 'centre', 'center', 'messages', 'alerts'],
      icon: <Bell />,
      run: () => useShell.getState().set({ areNotificationsOpen: true }),
    },
    {
      id: 'app.do-not-disturb',
      group: 'run',
      label: isQuiet ? 'Turn off do not disturb' : 'Do not disturb',
      hint: isQuiet ? '' : 'until you turn it off',
      keywords: ['mute', 'silence', 'quiet', 'notifications'],
      icon: isQuiet ? <BellRing /> : <BellOff />,
      run: () => void chooseSettings({ doNotDisturb: { isOn: !isQuiet, untilMs: null } }),
    },
  ];
}

function settingsPages(): Command[] {
  const { open } = useSettingsDialog.getState();
  return [
    {
      id: 'app.add-connection',
      group: 'run',
      label: 'Add a connection',
      hint: 'base URL, key and endpoints',
      keywords: ['new', 'service', 'account', 'endpoint', 'api key'],
      icon: <Plug />,
      run: () => open('connections'),
    },
    {
      id: 'app.notification-settings',
      group: 'run',
      label: 'Notification settings',
      hint: 'rules per endpoint and outcome',
      keywords: ['preferences', 'quiet hours', 'digest', 'alerts'],
      icon: <SettingsIcon />,
      run: () => open('notifications'),
    },
    {
      id: 'app.network',
      group: 'run',
      label: 'Network settings',
      hint: 'proxy and certificates',
      keywords: ['preferences', 'ca', 'company'],
      icon: <Network />,
      run: () => open('network'),
    },
    {
      id: 'app.about',
      group: 'run',
      label: 'About Jobdeck',
      hint: 'version, diagnostics and logs',
      keywords: ['settings', 'help', 'log', 'licences', 'bug'],
      icon: <Info />,
      run: () => open('about'),
    },
    {
      id: 'app.system-theme',
      group: 'run',
      label: 'Use the system theme',
      keywords: ['dark', 'light', 'appearance', 'colour', 'color', 'settings'],
      icon: <Monitor />,
      ...(useSession.getState().settings.theme === 'system' && { refusal: 'In use' }),
      run: () => void chooseSettings({ theme: 'system' }),
    },
  ];
}

const orders: readonly { label: string; sort: JobSort | null }[] = [
  { label: 'newest first', sort: null },
  { label: 'longest execution first', sort: { column: 'execution', isDescending: true } },
  { label: 'longest wait first', sort: { column: 'wait', isDescending: true } },
  { label: 'title', sort: { column: 'title', isDescending: false } },
];

function orderCommands(): Command[] {
  const { listSort } = useSession.getState().settings;
  return orders.map(({ label, sort }) => ({
    id: `app.order.${sort?.column ?? 'newest'}`,
    group: 'run',
    label: `Sort the list: ${label}`,
    keywords: ['order', 'sort by'],
    icon: <ArrowDownWideNarrow />,
    ...(listSort?.column === sort?.column && listSort?.isDescending === sort?.isDescending && { refusal: 'In use' }),
    run: () => void setSort(sort),
  }));
}

function endCommands(): Command[] {
  return [
    {
      id: 'app.updates',
      group: 'run',
      label: 'Check for updates',
      keywords: ['version', 'upgrade', 'settings'],
      icon: <RefreshCw />,
      run: () => {
        useSettingsDialog.getState().open('about');
        callOrReport('update:check', undefined);
      },
    },
    {
      id: 'app.quit',
      group: 'run',
      label: 'Quit Jobdeck',
      hint: 'after everything received is saved',
      keywords: ['exit', 'close', 'stop'],
      icon: <Power />,
      run: () => callOrReport('app:quit', undefined),
    },
  ];
}
