import {
  ArrowDownWideNarrow,
  Bell,
  BellOff,
  BellRing,
  Columns3,
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
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { columnNames, isChosen } from '../jobs/table-columns.ts';
import { columnCommandText } from '../messages/commands/palette.ts';
import { appCommandText, runRefusalText } from '../messages/commands/run.ts';
import { columnTitles } from '../messages/jobs/columns.ts';
import { goToNotifications } from '../navigation/go.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import type { Command } from './command.ts';
import { engineNow } from '../data/engine-time.ts';

/** Commands for the app as a whole: notifications, settings, the list's order and columns, updates and quitting. */
export function appCommands(): Command[] {
  return [...notificationCommands(), ...settingsPages(), ...orderCommands(), ...columnCommands(), ...endCommands()];
}

function notificationCommands(): Command[] {
  const isQuiet = isUndisturbed(useSession.getState().settings.doNotDisturb, engineNow());
  return [
    {
      id: 'app.notifications',
      group: 'run',
      ...appCommandText.notifications,
      icon: <Bell />,
      run: goToNotifications,
    },
    {
      id: 'app.do-not-disturb',
      group: 'run',
      ...(isQuiet ? appCommandText.disturbAgain : appCommandText.doNotDisturb),
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
      ...appCommandText.addConnection,
      icon: <Plug />,
      run: () => open('connections'),
    },
    {
      id: 'app.notification-settings',
      group: 'run',
      ...appCommandText.notificationSettings,
      icon: <SettingsIcon />,
      run: () => open('notifications'),
    },
    {
      id: 'app.network',
      group: 'run',
      ...appCommandText.network,
      icon: <Network />,
      run: () => open('network'),
    },
    {
      id: 'app.about',
      group: 'run',
      ...appCommandText.about,
      icon: <Info />,
      run: () => open('about'),
    },
    {
      id: 'app.system-theme',
      group: 'run',
      ...appCommandText.systemTheme,
      icon: <Monitor />,
      ...(useSession.getState().settings.theme === 'system' && { refusal: runRefusalText.inUse }),
      run: () => void chooseSettings({ theme: 'system' }),
    },
  ];
}

const orders: readonly { text: Pick<Command, 'label' | 'keywords'>; sort: JobSort | null }[] = [
  { text: appCommandText.newestFirst, sort: null },
  { text: appCommandText.longestExecutionFirst, sort: { column: 'execution', isDescending: true } },
  { text: appCommandText.longestWaitFirst, sort: { column: 'wait', isDescending: true } },
  { text: appCommandText.byTitle, sort: { column: 'title', isDescending: false } },
];

function orderCommands(): Command[] {
  const { listSort } = useSession.getState().settings;
  return orders.map(({ text, sort }) => ({
    id: `app.order.${sort?.column ?? 'newest'}`,
    group: 'run',
    ...text,
    icon: <ArrowDownWideNarrow />,
    only: 'main',
    ...(listSort?.column === sort?.column &&
      listSort?.isDescending === sort?.isDescending && { refusal: runRefusalText.inUse }),
    run: () => void setSort(sort),
  }));
}

/** Commands that show or hide a column of the table. */
function columnCommands(): Command[] {
  const { tableColumns: chosen } = useSession.getState().settings;
  return columnNames
    .filter((column) => column !== 'title')
    .map((column): Command => {
      const isShown = isChosen(chosen, column);
      return {
        id: `app.column.${column}`,
        group: 'run',
        only: 'main',
        ...columnCommandText(columnTitles[column], isShown),
        icon: <Columns3 />,
        run: () => void chooseSettings({ tableColumns: { column, isShown: !isShown } }),
      };
    });
}

function endCommands(): Command[] {
  return [
    {
      id: 'app.updates',
      group: 'run',
      ...appCommandText.checkForUpdates,
      icon: <RefreshCw />,
      run: () => {
        useSettingsDialog.getState().open('about');
        callOrReport('update:check', undefined);
      },
    },
    {
      id: 'app.quit',
      group: 'run',
      ...appCommandText.quit,
      icon: <Power />,
      run: () => callOrReport('app:quit', undefined),
    },
  ];
}
