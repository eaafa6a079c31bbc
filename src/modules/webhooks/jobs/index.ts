import { SEND_DELIVERIES } from './send-deliveries.job';

export const WEBHOOK_JOBS = [SEND_DELIVERIES];
