import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit';
import { ChangeSettingUseCase } from './change-setting.use-case';
import { SettingsController } from './http/settings.controller';
import { LogLevel, Settings } from './settings';
import { settingsPersistence } from './persistence/schema';
import { AppSettingRepository } from './persistence/app-setting.repository';

@Module({
  imports: [TypeOrmModule.forFeature(settingsPersistence.entities), AuditModule],
  controllers: [SettingsController],
  providers: [AppSettingRepository, Settings, LogLevel, ChangeSettingUseCase],
  exports: [Settings],
})
export class SettingsModule {}
