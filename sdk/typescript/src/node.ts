export { filesOf, type LocalFile } from './folder.js';
export {
  uploadFolder,
  type RefusedFile,
  type UploadOptions,
  type UploadProgress,
  type UploadResult,
} from './upload.js';
