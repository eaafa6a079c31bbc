import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { runtimeSettings } from '../../../common/platform/config/runtime-settings.schema';
import { SelfHostedOnly, WorkspaceRole } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { ChangeSettingUseCase } from '../change-setting.use-case';
import {
  isSettingName,
  SETTING_NAMES,
  settingKind,
  type SettingName,
  canonicalName,
  textOf,
  isShownName,
  refusalOf,
  type ShownName,
} from '../domain/setting-definition';
import { Settings } from '../settings';

const key = z.string({ error: 'Field required' }).min(1, { error: 'Input should name a setting' }).max(200).meta({
  description: 'The name of the setting, such as LOG_LEVEL; hyphens and lower case are accepted.',
  example: 'DATASET_SHARE_ENABLED',
});

const settingQuery = z.object({ key });
type SettingQuery = z.output<typeof settingQuery>;

const settingBody = z.object({
  key,
  value: z
    .unknown()
    .refine((value) => value !== undefined, { error: 'Field required' })
    .meta({ description: 'A text, a number or a boolean; stored as a text.', example: true }),
});
type SettingBody = z.output<typeof settingBody>;

const settingResponse = z.object({ value: z.string() }).meta({ id: 'SettingValue', example: { value: 'true' } });

const settingListResponse = z
  .object({
    settings: z.array(
      z.object({
        key: z.string(),
        value: z.string(),
        default: z.string(),
        kind: z.enum(['boolean', 'number', 'choice', 'model']),
        meaning: z.string(),
        overridden: z.boolean(),
      }),
    ),
  })
  .meta({
    id: 'SettingList',
    example: {
      settings: [
        {
          key: 'DATASET_SHARE_ENABLED',
          value: 'true',
          default: 'true',
          kind: 'boolean',
          meaning: 'Datasets can be shared with other users.',
          overridden: false,
        },
      ],
    },
  });

type SettingResponse = z.infer<typeof settingResponse>;

const SHOWN: Readonly<Record<ShownName, (configuration: Configuration) => string>> = {
  DISABLE_AUTH: ({ oidc }) => String(oidc === null),
  AUTH_MODE: ({ oidc }) => (oidc === null ? 'none' : 'oidc'),
  RUN_MODE: ({ runMode }) => runMode,
  SINGLE_WORKSPACE: ({ singleWorkspace }) => String(singleWorkspace),
};

function settable(key: string): SettingName {
  const name = canonicalName(key);
  if (!isSettingName(name)) throw refusalOf(name);
  return name;
}

@ApiTags('Administration')
@Controller('api/v1/admin/settings')
@SelfHostedOnly()
@WorkspaceRole('admin')
export class SettingsController {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly settings: Settings,
    private readonly changeSetting: ChangeSettingUseCase,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The current value of a setting, as text' })
  @ApiOkResponse({ standardSchema: settingResponse })
  @MayFail(400)
  get(@Query({ schema: settingQuery }) { key }: SettingQuery): SettingResponse {
    const name = canonicalName(key);
    if (isShownName(name)) return { value: SHOWN[name](this.configuration) };
    return { value: textOf(this.settings.value(settable(key))) };
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Change a setting; takes effect immediately for all users' })
  @ApiOkResponse({ standardSchema: settingResponse })
  async set(
    @Body({ schema: settingBody }) { key, value }: SettingBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<SettingResponse> {
    return { value: await this.changeSetting.set(settable(key), value, principal) };
  }

  @Get('list')
  @ApiOperation({ summary: 'All settings with their descriptions' })
  @ApiOkResponse({ standardSchema: settingListResponse })
  list(): z.infer<typeof settingListResponse> {
    return {
      settings: SETTING_NAMES.map((name) => ({
        key: name,
        value: textOf(this.settings.value(name)),
        default: textOf(this.settings.defaultOf(name)),
        kind: settingKind(name),
        meaning: runtimeSettings[name].description!,
        overridden: this.settings.isOverridden(name),
      })),
    };
  }

  @Delete()
  @ApiOperation({ summary: 'Reset a setting to the value of the environment, and return that value' })
  @ApiOkResponse({ standardSchema: settingResponse })
  @MayFail(400)
  async reset(
    @Query({ schema: settingQuery }) { key }: SettingQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<SettingResponse> {
    return { value: await this.changeSetting.reset(settable(key), principal) };
  }
}
