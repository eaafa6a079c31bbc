export { RateLimitsModule } from './rate-limits.module';
