export { SubsetsModule } from './subsets.module';
