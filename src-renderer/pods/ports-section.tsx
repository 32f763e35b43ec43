import { ExternalLink, Network, Terminal } from 'lucide-react';
import { useState } from 'react';
import { browsableAddress, isPodStarting, podPorts, sshCommand, type PodPort } from '../../src-preload/pod-ports.ts';
import type { Pod } from '../../src-preload/pod.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { toast } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { openPortText, portsText } from '../messages/pods/sections.tsx';
import { CopyableId, FieldNote, FieldShell, FieldValue } from './field.tsx';
import { useShownPod } from './pod-context.ts';
import { podFields } from './pod-fields.ts';
import { Section } from './section.tsx';
import styles from './ports-section.module.css';

/** Why a port has no public address. */
function whyUnmapped(pod: Pod, port: PodPort): string {
  if (port.port === null) return portsText.unreadable;
  if (isPodStarting(pod)) return portsText.waiting;
  if (pod.desiredStatus !== 'RUNNING') return portsText.notRunning;
  return port.publicPort === null ? portsText.noPublicPort : portsText.noPublicIp;
}

/** Each port with its public address: to copy, to open in the browser, or as an ssh line. */
export function PortsSection() {
  const { reply, connectionId, podId } = useShownPod();
  const { pod } = reply;
  const ports = podPorts(pod);
  /** The user is asked once per window. After that, "Open" opens immediately. */
  const [hasAgreed, setAgreed] = useState(false);
  const [question, setQuestion] = useState<{ port: number; address: string } | null>(null);

  const open = async (port: number): Promise<void> => {
    setAgreed(true);
    setQuestion(null);
    const result = await call('pod:openPort', { connectionId, podId, port });
    if (!result.ok) toast(result.failure.message);
  };
  const count = (
    <FieldNote info={podFields.ports} path="ports">
      {String(pod.ports?.length ?? 0)}
    </FieldNote>
  );
  const publicIp = (
    <FieldShell info={podFields.publicIp} path="publicIp" className={styles.ip}>
      <span className={styles.quiet}>{portsText.publicIp}</span>
      <FieldValue info={podFields.publicIp} path="publicIp" />
    </FieldShell>
  );

  const mappings = (
    <FieldShell info={podFields.portMappings} path="portMappings" className={styles.inline}>
      {portsText.publicAddress}
      <span className={styles.mapped}>
        <FieldValue info={podFields.portMappings} path="portMappings">
          {portsText.mapped(Object.keys(pod.portMappings ?? {}).length)}
        </FieldValue>
      </span>
    </FieldShell>
  );
  return (
    <Section title={portsText.title} icon={<Network />} note={count} actions={publicIp}>
      {ports.length === 0 ? (
        <div className={styles.quiet}>{mappings}</div>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th className={styles.inside}>{portsText.inside}</th>
              <th className={styles.protocol}>{portsText.protocol}</th>
              <th>{mappings}</th>
              <th>
                <span className="visually-hidden">{portsText.action}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {ports.map((port) => (
              <PortRow
                key={port.entry}
                pod={pod}
                port={port}
                onOpen={(number, address) => void (hasAgreed ? open(number) : setQuestion({ port: number, address }))}
              />
            ))}
          </tbody>
        </table>
      )}
      <Dialog
        title={openPortText.title}
        isOpen={question !== null}
        onClose={() => setQuestion(null)}
        actions={
          <>
            <Button size="lg" onClick={() => setQuestion(null)}>
              {commonText.cancel}
            </Button>
            <Button
              size="lg"
              variant="primary"
              onClick={() => {
                if (question !== null) void open(question.port);
              }}
            >
              {openPortText.open}
            </Button>
          </>
        }
      >
        <p className={styles.address}>{question?.address}</p>
        <p>{openPortText.hint}</p>
      </Dialog>
    </Section>
  );
}

function PortRow({ pod, port, onOpen }: { pod: Pod; port: PodPort; onOpen: (port: number, address: string) => void }) {
  const browsable = port.port === null ? null : browsableAddress(pod, port.port);
  const ssh = sshCommand(port);
  return (
    <tr>
      <td className={styles.port}>{port.port ?? <span className="mono">{port.entry}</span>}</td>
      <td>
        {port.protocol === null ? (
          <span className={styles.quiet}>{portsText.notReported}</span>
        ) : (
          <span className={styles.badge}>{port.protocol}</span>
        )}
      </td>
      <td>
        {port.address === null ? (
          <span className={styles.quiet}>{whyUnmapped(pod, port)}</span>
        ) : (
          <CopyableId label={portsText.address} text={browsable ?? port.address} />
        )}
      </td>
      <td className={styles.action}>
        {ssh !== null && (
          <Button variant="ghost" size="sm" icon={<Terminal />} hint={ssh} onClick={() => void copySsh(ssh)}>
            {portsText.copySsh}
          </Button>
        )}
        {browsable !== null && port.port !== null && (
          <Button
            variant="ghost"
            size="sm"
            icon={<ExternalLink />}
            onClick={() => {
              if (port.port !== null) onOpen(port.port, browsable);
            }}
          >
            {portsText.open}
          </Button>
        )}
        {port.protocol === 'http' && port.address !== null && browsable === null && (
          <span className={styles.quiet}>{portsText.notPublic}</span>
        )}
      </td>
    </tr>
  );
}

async function copySsh(command: string): Promise<void> {
  const result = await call('app:copyText', { text: command });
  toast(result.ok ? portsText.sshCopied : result.failure.message);
}
