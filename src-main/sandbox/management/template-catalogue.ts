import { stableId } from './field-forms.ts';
import { A100, CPU3C, KANSAS, L4, rentCpu, rentGpu, ROMANIA, RTX_4090 } from './hardware.ts';
import type { GpuModel, Rental } from './hardware.ts';
import type { Template } from './template.ts';

export const PYTORCH: Template = {
  id: stableId('template', 'pytorch'),
  name: 'PyTorch 2.8',
  imageName: 'runpod/pytorch:2.8.0-py3.12-cuda12.8.1-devel-ubuntu24.04',
  category: 'NVIDIA',
  containerDiskInGb: 60,
  containerRegistryAuthId: '',
  dockerEntrypoint: [],
  dockerStartCmd: [],
  earned: 0,
  env: { JUPYTER_PASSWORD: 'sandbox-jupyter' },
  isPublic: true,
  isRunpod: true,
  isServerless: false,
  ports: ['8888/http', '22/tcp'],
  readme:
    '# PyTorch 2.8\n\nPyTorch with CUDA 12.8, JupyterLab on port **8888** and SSH on port **22**.\n\n- Work in ' +
    '`/workspace`: it survives a restart.\n- Set `JUPYTER_PASSWORD` before you start.\n',
  runtimeInMin: 18_204_511,
  volumeInGb: 40,
  volumeMountPath: '/workspace',
};

export const ROCM: Template = {
  id: stableId('template', 'rocm'),
  name: 'ROCm 6.4 notebook',
  imageName: 'rocm/pytorch:rocm6.4-ubuntu24.04-py3.12-pytorch2.6.0',
  category: 'AMD',
  containerDiskInGb: 80,
  containerRegistryAuthId: '',
  dockerEntrypoint: [],
  dockerStartCmd: ['jupyter', 'lab', '--ip=0.0.0.0', '--allow-root'],
  earned: 312.48,
  env: {},
  isPublic: true,
  isRunpod: false,
  isServerless: false,
  ports: ['8888/http', '22/tcp'],
  readme: '# ROCm 6.4 notebook\n\nJupyterLab for **AMD Instinct** GPUs, shared by a user.\n',
  runtimeInMin: 1_930_022,
  volumeInGb: 100,
  volumeMountPath: '/workspace',
};

export const CPU_WORKBENCH: Template = {
  id: stableId('template', 'cpu-workbench'),
  name: 'CPU workbench',
  imageName: 'runpod/base:0.7.0-ubuntu24.04',
  category: 'CPU',
  containerDiskInGb: 10,
  containerRegistryAuthId: '',
  dockerEntrypoint: [],
  dockerStartCmd: [],
  earned: 0,
  env: {},
  isPublic: true,
  isRunpod: true,
  isServerless: false,
  ports: ['22/tcp'],
  readme: '# CPU workbench\n\nUbuntu 24.04 with SSH, for preparing data without paying for a GPU.\n',
  runtimeInMin: 2_744_310,
  volumeInGb: 0,
  volumeMountPath: '/workspace',
};

export const IMAGE_STUDIO: Template = {
  id: stableId('template', 'image-studio'),
  name: 'image-studio',
  imageName: 'zebrafish-lab/image-studio:1.4.2',
  category: 'NVIDIA',
  containerDiskInGb: 30,
  containerRegistryAuthId: stableId('registryAuth', 'zebrafish-lab'),
  dockerEntrypoint: ['/usr/bin/tini', '--'],
  dockerStartCmd: ['python', '-m', 'studio', '--listen', '7860'],
  earned: 4.21,
  env: { HF_TOKEN: 'not-a-real-token', LOG_LEVEL: 'info', MODEL_NAME: 'landscape-xl' },
  isPublic: false,
  isRunpod: false,
  isServerless: false,
  ports: ['7860/http', '22/tcp', '9090/tcp'],
  readme:
    '# image-studio\n\nOur own image server. The model is taken from `MODEL_NAME`; metrics are on port **9090**.\n',
  runtimeInMin: 86_412,
  volumeInGb: 120,
  volumeMountPath: '/data',
};

/** Templates of pods (spec: Template, isServerless false). */
export const POD_TEMPLATES: readonly Template[] = [PYTORCH, ROCM, CPU_WORKBENCH, IMAGE_STUDIO];

/** The GPU that an endpoint's workers run on; null: CPU workers. */
function gpuOf(endpointId: string): GpuModel | null {
  switch (endpointId) {
    case 'text':
      return A100;
    case 'image':
      return RTX_4090;
    case 'echo':
    case 'mock':
      return null;
    default:
      return L4;
  }
}

/** What one worker of an endpoint rents; `workerId` tells their hosts apart. */
export function rentForWorker(endpointId: string, workerId: string): Rental {
  const model = gpuOf(endpointId);
  return model === null
    ? rentCpu({ flavor: CPU3C, vcpuCount: 2, place: ROMANIA, key: workerId })
    : rentGpu({ model, count: 1, place: KANSAS, key: workerId });
}

/** The id of the template that an endpoint's workers are rented by. The same for every sandbox. */
export function endpointTemplateId(endpointId: string): string {
  return stableId('template', `endpoint ${endpointId}`);
}

/** The template that an endpoint's workers are made from, named after it (spec: Template, isServerless true). */
export function endpointTemplate(endpointId: string): Template {
  return {
    id: endpointTemplateId(endpointId),
    name: endpointId,
    imageName: `sandbox/worker-${endpointId.toLowerCase()}:1.0.0`,
    category: gpuOf(endpointId) === null ? 'CPU' : 'NVIDIA',
    containerDiskInGb: 20,
    containerRegistryAuthId: '',
    dockerEntrypoint: [],
    dockerStartCmd: ['python', '-u', 'handler.py'],
    earned: 0,
    env: { HF_TOKEN: 'not-a-real-token', LOG_LEVEL: 'info' },
    isPublic: false,
    isRunpod: false,
    isServerless: true,
    ports: ['8000/http', '22/tcp'],
    readme: `# ${endpointId}\n\nWorkers of the endpoint \`${endpointId}\` of this sandbox.\n`,
    runtimeInMin: 5_120,
    volumeInGb: 0,
    volumeMountPath: '/runpod-volume',
  };
}
