import { randomUUID } from 'node:crypto';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';
import { createEndpointHealth, type EndpointHealth } from '../health/endpoint-health.ts';
import { learnFlavour } from './endpoint-flavours.ts';
import { createResources, type Resources } from './resources.ts';
import { ok } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import { Costs } from '../cost/costs.ts';
import { Jobs } from '../job/jobs.ts';
import { createJobKeys } from '../job/reducer/new-job.ts';
import { Purges } from '../purge/purges.ts';
import { Alerts } from '../alerts/alerts.ts';
import { Notifications } from '../notifications/notifications.ts';
import { noticeIds, storageTroubleNotice } from '../messages/notices.ts';

/** The features of Jobdeck, on top of the services. */
export interface Features {
  jobs: Jobs;
  health: EndpointHealth;
  alerts: Alerts;
  costs: Costs;
  purges: Purges;
  resources: Resources;
  notifications: Notifications;
}

/** Creates the features from the bottom up. Each may use the earlier ones directly, and the others through events. */
export function joinFeatures(foundation: Foundation, services: Services): Features {
  const jobs = joinJobs(foundation, services);
  const notifications = joinNotifications(foundation, services, jobs);
  const { health, alerts } = joinWatching(foundation, services, jobs, notifications);
  const { costs, purges } = joinRecords(foundation, services, jobs);
  const { parts, history, vault, knownSecrets, events } = foundation;
  const { connections, client } = services;
  const resources = createResources({
    history,
    vault,
    connections,
    client,
    knownSecrets,
    emit: parts.news.emit,
    now: parts.clock.now,
    log: parts.log,
  });
  events.on('connections-changed', ({ removed }) => {
    for (const id of removed) resources.connectionRemoved(id);
  });
  events.on('job-ended', (job) => void learnFlavour({ connections, history, log: parts.log }, job));
  return { jobs, health, alerts, costs, purges, resources, notifications };
}

function joinJobs(foundation: Foundation, services: Services): Jobs {
  const { parts, events, history, jobNews, notices, settings, clockGuard } = foundation;
  const { connections, s3Profiles, client, webhooks, known } = services;
  const { log, clock, news, dataDir } = parts;
  const jobs = new Jobs({
    history,
    clock,
    isClockDoubted: () => clockGuard.doubt() !== null,
    random: Math.random,
    log: log.area('jobs'),
    baseUrlOf: client.baseUrlOf,
    apiFor: client.queueApi,
    s3Config: (id) => s3Profiles.configOf(id),
    callbackFor: (webhook, jobKey) => webhooks.callbackFor(webhook, jobKey),
    whyNotFollowed: known.whyNotFollowed,
    titleRuleOf: known.titleRule,
    rateShare: settings.current,
    accountOf: (connectionId) => connections.accountOf(connectionId),
    onJobsChanged(changed) {
      jobNews.changed(changed);
      events.emit('jobs-changed', changed);
    },
    onJobsRemoved(keys) {
      jobNews.removed(keys);
      events.emit('jobs-removed', keys);
    },
    onBatchSaved: (rows) => jobNews.changed(rows),
    onUnknownJobs: (unknownJobs) => events.emit('unknown-jobs', unknownJobs),
    onBatchEnded: (batch) => events.emit('batch-ended', batch),
    onBatchStopped: (batch) => events.emit('batch-stopped', batch),
    onJobEnded: (job) => events.emit('job-ended', job),
    onTrackerState: (state) => news.emit('tracker:changed', state),
    reportConnectionState(connectionId, state) {
      if (state.kind !== 'no-key') void connections.reportState(connectionId, state);
    },
    onHealth: (health) => events.emit('health-answered', health),
    onStorageTrouble: (message) => notices.add(storageTroubleNotice(message, dataDir)),
    onStorageRecovered: () => notices.dismiss(noticeIds.storageTrouble),
  });
  jobNews.onBatches((batches) => jobs.batches.noteBatches(batches));
  events.on('webhook-call', (call) => jobs.noteWebhookCall(call));
  events.on('connection-reopened', (connectionId) => jobs.connectionChanged(connectionId));
  events.on('connections-changed', ({ added, removed }) => {
    for (const id of removed) jobs.connectionRemoved(id);
    trackAgain(jobs, added, log);
  });
  return jobs;
}

/** Jobs of these connections were orphaned when the connections were removed. They are tracked again. */
export function trackAgain(jobs: Jobs, connectionIds: readonly string[], log: Log): void {
  for (const id of connectionIds)
    jobs
      .connectionPresent(id)
      .catch((error: unknown) => log.error('jobs of a restored connection were not tracked again', { error }));
}

/** Creates the notifications. */
function joinNotifications(
  { parts, events, history, settings, closing }: Foundation,
  { known }: Services,
  jobs: Jobs,
): Notifications {
  const { clock, news, log } = parts;
  const notifications = new Notifications({
    history,
    clock,
    settings: settings.current,
    names: {
      connectionName: known.connectionName,
      endpointName: known.endpointName,
    },
    trackerState: () => jobs.trackerState(),
    onChange: (unseen) => news.emit('notification:changed', { unseen }),
    log: log.area('notifications'),
  });
  closing.later('notifications', () => notifications.close());
  events.on('job-ended', (job) => notifications.jobEnded(job));
  events.on('batch-ended', (batch) => notifications.batchEnded(batch));
  events.on('batch-stopped', (batch) => notifications.batchStopped(batch));
  events.on('settings-changed', () => notifications.settingsChanged());
  news.listen((name) => {
    if (name === 'tracker:changed') notifications.refusalsChanged();
  });
  return notifications;
}

/** Creates endpoint health and alerts. */
function joinWatching(
  { parts, events, history, settings, closing }: Foundation,
  { known }: Services,
  jobs: Jobs,
  notifications: Notifications,
): Pick<Features, 'health' | 'alerts'> {
  const { log, clock, news } = parts;
  const health = createEndpointHealth({
    history,
    liveJobs: () => jobs.liveJobs(),
    clock,
    isPaused: () => jobs.trackerState().isPaused,
    readHealth: (connectionId, endpointId, how) => jobs.readHealthInTurn(connectionId, endpointId, how),
    onChange(changed) {
      news.emit('health:changed', { health: changed });
      events.emit('health-kept', changed);
    },
    onReadFailed: (connectionId, endpointId, { message }) =>
      news.emit('health:readFailed', { connectionId, endpointId, message }),
    background: {
      isOn: () => settings.current().isHealthReadInBackground,
      wayTo: (connectionId) => jobs.wayTo(connectionId),
      hasOwnRule: (endpoint) => alerts.hasOwnRule(endpoint),
    },
    onDiagnosis: (diagnosis) => news.emit('diagnosis:changed', diagnosis),
    onTrouble: (error) => log.warn('a health sample was not saved', { detail: errorText(error) }),
  });
  closing.later('health', async () => health.close());
  events.on('health-answered', (sample) => void health.note(sample));
  events.on('jobs-changed', (changed) => health.jobsChanged(changed));
  events.on('connections-changed', ({ connections, removed }) => {
    health.connectionsChanged(connections);
    for (const id of removed) health.connectionRemoved(id);
  });
  events.on('settings-changed', () => health.settingsChanged());

  const alerts = new Alerts({
    history,
    liveJobs: () => jobs.liveJobs(),
    clock,
    settings: settings.current,
    choiceFor: (connectionId, endpointId) => notifications.choiceForAlerts(connectionId, endpointId),
    mutedUntilMs: health.mutedUntilMs,
    endpointName: known.endpointName,
    newId: createJobKeys(clock.now, Math.random),
    onChange: (overview) => news.emit('alert:changed', overview),
    log: log.area('alerts'),
  });
  closing.later('alerts', () => alerts.close());
  events.on('settings-changed', () => alerts.notificationsChanged());
  events.on('connections-changed', ({ connections }) => alerts.connectionsChanged(connections));
  events.on('health-kept', (kept) => alerts.healthRead(kept));
  events.on('jobs-changed', (changed) => alerts.jobsChanged(changed));
  events.on('job-ended', (job) => alerts.jobEnded(job));
  return { health, alerts };
}

/** Creates costs and purges. */
function joinRecords(
  { parts, events, history, notices, closing }: Foundation,
  { known, connections }: Services,
  jobs: Jobs,
): Pick<Features, 'costs' | 'purges'> {
  const { log, clock, news } = parts;
  const costs = new Costs({
    history,
    liveJobs: () => jobs.liveJobs(),
    clock,
    log: log.area('costs'),
    endpointName: known.endpointName,
    onChanged: (cost) => news.emit('cost:changed', cost),
    addNotice: notices.add,
  });
  closing.later('costs', () => costs.close());
  const purges = new Purges({
    history,
    queue: jobs.purge,
    clock,
    newId: randomUUID,
    log: log.area('purges'),
    readHealth: (connectionId, endpointId) => jobs.readHealthInTurn(connectionId, endpointId),
    endpointOf: async (connectionId, endpointId) => {
      const connection = await connections.get(connectionId);
      return connection.ok
        ? ok(connection.value.endpoints.find(({ id }) => id === endpointId) ?? { id: endpointId, label: '' })
        : connection;
    },
    onChanged: (purge) => news.emit('purge:changed', purge),
  });
  events.on('jobs-changed', (changed) => {
    costs.noteJobs(changed);
    purges.noteJobs(changed);
  });
  events.on('connections-changed', ({ removed }) => {
    for (const id of removed) {
      purges.connectionRemoved(id);
      costs.connectionRemoved(id);
    }
  });
  return { costs, purges };
}
