import { MetadataImportEntity } from './metadata-import.repository';
import { CreateMetadataImport1763700005001 } from './migrations/1763700005001-create-metadata-import';

export const annotationsPersistence = {
  entities: [MetadataImportEntity],
  migrations: [CreateMetadataImport1763700005001],
};
