export const webhookText = {
  couldNotStart:
    'Could not start the webhook receiver on 127.0.0.1. Jobdeck polls the jobs either way; try again later.',
};
