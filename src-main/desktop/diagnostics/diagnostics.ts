import { readFile } from 'node:fs/promises';
import { homedir, release, totalmem } from 'node:os';
import { app } from 'electron';
import type { Engine } from '../../engine/engine.ts';
import { diagnosticsLabels as label, diagnosticsText as text } from '../../messages/desktop/diagnostics.ts';
import { formatDiagnostics } from './report-text.ts';

interface DiagnosticsParts {
  engine: Pick<Engine, 'settings' | 'trackerState' | 'keyStorage' | 'notices' | 'history'>;
  logPath: string;
  redact: (text: string) => string;
}

/** The content of a bug report. The user reads it before copying; it is not sent anywhere. */
export async function collectDiagnostics({ engine, logPath, redact }: DiagnosticsParts): Promise<string> {
  const counts = await engine.history.counts().catch(() => null);
  const tracker = engine.trackerState();
  const settings = engine.settings();
  return formatDiagnostics({
    facts: [
      [label.version, app.getVersion()],
      [label.electron, process.versions['electron'] ?? text.standIn],
      [label.chromium, process.versions['chrome'] ?? text.systemChromium],
      [label.node, process.versions.node],
      [label.system, `${process.platform} ${release()} ${process.arch}`],
      [label.memory, text.memory(Math.round(totalmem() / 2 ** 30))],
      [label.desktop, process.env['XDG_CURRENT_DESKTOP'] ?? text.desktopNotNamed],
      [label.keyStorage, engine.keyStorage().kind],
      [label.savedJobs, String(counts?.all.all ?? text.notCounted)],
      [label.tracked, text.tracked(tracker)],
      [label.connections, tracker.connections.map(({ state }) => state.kind).join(', ') || text.none],
      [
        label.refused,
        tracker.closures.map(({ operation, httpStatus }) => `${operation} ${httpStatus}`).join(', ') ||
          text.nothingRefused,
      ],
      [label.rateShare, String(settings.rateShare)],
      [label.proxy, settings.proxy.kind],
      [
        label.notices,
        engine
          .notices()
          .map(({ id }) => id)
          .join(', ') || text.none,
      ],
    ],
    log: await readFile(logPath, 'utf8').catch(() => ''),
    homeDir: homedir(),
    redact,
  });
}
