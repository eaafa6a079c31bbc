import { createStorage } from '../../src/common/platform/storage/create-storage';
import { PagePresenter } from '../../src/modules/search/explore/http/page-presenter';
import { SignedMediaUrls } from '../../src/modules/search/media/signed-media-urls';
import { FOLDER_STORAGE } from '../../test/support/folder-storage';

export const signedUrls = (): SignedMediaUrls => new SignedMediaUrls(createStorage(FOLDER_STORAGE).sources);

export const pagePresenter = (): PagePresenter =>
  new PagePresenter(FOLDER_STORAGE, signedUrls(), { isOn: () => false });
