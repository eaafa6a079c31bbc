import { Module } from '@nestjs/common';
import { Renewals } from './renewals';

@Module({ providers: [Renewals], exports: [Renewals] })
export class RenewalsModule {}
