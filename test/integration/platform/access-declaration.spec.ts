import { Controller, Get, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Public } from '../../../src/common/platform/http/access';
import { AccessDeclarationCheck } from '../../../src/modules/auth/http/access.guard';

@Controller()
class OpenController {
  @Get('declared')
  @Public()
  declared(): void {}

  @Get('forgotten')
  forgotten(): void {}
}

@Controller()
@Public()
class DeclaredController {
  @Get('whole')
  whole(): void {}
}

const boot = async (controller: new () => object): Promise<void> => {
  @Module({ imports: [DiscoveryModule], controllers: [controller], providers: [AccessDeclarationCheck] })
  class TestModule {}
  const app = (await Test.createTestingModule({ imports: [TestModule] }).compile()).createNestApplication();
  await app.init();
  await app.close();
};

describe('a route that declares no access', () => {
  it('prevents the start, and is named', async () => {
    await expect(boot(OpenController)).rejects.toThrow(/OpenController\.forgotten$/);
  });

  it('is accepted if its controller declares one', async () => {
    await expect(boot(DeclaredController)).resolves.toBeUndefined();
  });
});
