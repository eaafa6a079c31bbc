import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { runtimeSettings } from '../../../common/platform/config/runtime-settings.schema';
import { SelfHostedOnly, WorkspaceRole } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { ChangeSettingUseCase } from '../change-setting.use-case';
import { isSettingName, SETTING_NAMES, settingKind, type SettingName } from '../domain/setting-definition';
import { canonicalName, textOf } from '../domain/setting-value';
import { isShownName, refusalOf, type ShownName } from '../domain/start-time-names';
import { Settings } from '../settings';
import {
  settingBody,
  settingListResponse,
  settingQuery,
  settingResponse,
  type SettingBody,
  type SettingQuery,
} from './settings.schemas';

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
