import { useNavigate } from 'react-router';
import { IconButton } from '../../design/button';
import { texts } from '../../texts';

/** Leads to all evaluations. */
export function BackButton({ datasetId }: { readonly datasetId: string }) {
  const navigate = useNavigate();
  return (
    <IconButton
      icon="left"
      label={texts.evaluate.back}
      onPress={() => void navigate(`/datasets/${datasetId}/evaluate`)}
    />
  );
}
