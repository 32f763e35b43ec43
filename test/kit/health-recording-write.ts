import { mkdirSync, writeFileSync } from 'node:fs';
import { recordHealth } from './health-recording-player.ts';
import { recordingScenarios } from './health-recording-scenarios.ts';
import { recordedFolder, textOf } from './health-recording-files.ts';

/** `node test/kit/health-recording-write.ts [NAME...]`: records the scenarios again, all of them without a name. */
const names = process.argv.slice(2);
mkdirSync(recordedFolder, { recursive: true });
for (const scenario of recordingScenarios) {
  if (names.length > 0 && !names.includes(scenario.name)) continue;
  for (const dialect of ['spec', 'observed'] as const) {
    const text = textOf(await recordHealth(scenario, dialect));
    writeFileSync(new URL(`${scenario.name}.${dialect}.json`, recordedFolder), text);
    console.log(`${scenario.name} ${dialect}: ${text.length} bytes`);
  }
}
