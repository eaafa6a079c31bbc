import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS } from '../../../common/platform/http/access';

export class UndeclaredAccessError extends Error {
  constructor(routes: readonly string[]) {
    super(
      `These routes declare no access (@Public, @RealmRole, @WorkspaceRole or @DatasetAccess): ${routes.join(', ')}`,
    );
  }
}

/** Prevents startup if a route declares no access. */
@Injectable()
export class AccessDeclarationCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype, instance }) => {
      if (typeof metatype !== 'function' || this.reflector.get(ACCESS, metatype) !== undefined) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .map((name) => prototype[name]!)
        .filter(
          (handler) => Reflect.hasMetadata(PATH_METADATA, handler) && this.reflector.get(ACCESS, handler) === undefined,
        )
        .map((handler) => `${metatype.name}.${handler.name}`);
    });
    if (open.length > 0) throw new UndeclaredAccessError(open);
  }
}
