def strided_size():
    return torch.zeros([4]).as_strided([5], [1])


def strided_offset():
    return torch.zeros([4]).as_strided([1], [1], 4)


def strided_stride():
    return torch.zeros([4]).as_strided([2], [4])


def strided_negative_stride():
    return torch.zeros([4]).as_strided([2], [-1], 3)


def strided_negative_offset():
    return torch.zeros([4]).as_strided([1], [1], -1)


def strided_negative_size():
    return torch.zeros([4]).as_strided([-1], [1])


def strided_overflow():
    return torch.zeros([4]).as_strided([4611686018427387904, 4], [4611686018427387904, 1])


def strided_offset_overflow():
    return torch.zeros([4]).as_strided([2], [9223372036854775807], 9223372036854775807)


def strided_wraps():
    return torch.zeros([4]).as_strided([2, 2], [9223372036854775807, 9223372036854775807], 3)


def strided_of_view():
    return torch.zeros([8])[2:4].as_strided([8], [1], 1)


def strided_in_place():
    return torch.zeros([4]).as_strided_([5], [1])


def strided_ranks():
    return torch.zeros([4]).as_strided([2, 2], [1])


def strided_scatter():
    return torch.as_strided_scatter(torch.zeros([4]), torch.ones([5]), [5], [1])


def strided_scatter_beyond_numbers():
    return torch.as_strided_scatter(torch.zeros([4]), torch.ones([3]), [3], [9223372036854775807])


def set_size():
    return torch.zeros([1]).set_(torch.zeros([4]), 0, [5], [1])


def set_offset():
    return torch.zeros([1]).set_(torch.zeros([4]), 5, [1], [1])


def set_negative_offset():
    return torch.zeros([1]).set_(torch.zeros([4]), -1, [1], [1])


def set_stride():
    return torch.zeros([1]).set_(torch.zeros([4]), 0, [2], [4611686018427387904])


def set_other_dtype():
    return torch.zeros([1]).set_(torch.zeros([4], dtype=torch.uint8))


def resize_huge():
    return torch.zeros([1]).resize_([4611686018427387904])


def resize_overflow():
    return torch.zeros([1]).resize_([4294967296, 4294967296])


def resize_negative():
    return torch.zeros([1]).resize_([-1])


def view_other_dtype():
    return torch.zeros([3], dtype=torch.uint8).view(torch.int64)


def empty_huge():
    return torch.empty([4611686018427387904])


def empty_overflow():
    return torch.empty([4294967296, 4294967296, 4])


def empty_wraps_to_nothing():
    return torch.empty([4611686018427387904, 4])


def empty_bytes_overflow():
    return torch.empty([2305843009213693952], dtype=torch.float64)


def empty_negative():
    return torch.empty([-1])


def empty_strided_overflow():
    return torch.empty_strided([4611686018427387904], [4611686018427387904])


def empty_strided_negative():
    return torch.empty_strided([4], [-1])


def zeros_huge():
    return torch.zeros([4611686018427387904])


def full_huge():
    return torch.full([1099511627776, 1099511627776], 1.0)


def rand_huge():
    return torch.rand([4611686018427387904])


def arange_huge():
    return torch.arange(0, 9223372036854775807)


def arange_step():
    return torch.arange(0, 1, 1e-300)


def linspace_huge():
    return torch.linspace(0, 1, 4611686018427387904)


def eye_huge():
    return torch.eye(4294967296)


def repeat_huge():
    return torch.zeros([4]).repeat([4611686018427387904])


def repeat_overflow():
    return torch.zeros([4]).repeat([4294967296, 4294967296])


def repeat_interleave_huge():
    return torch.repeat_interleave(torch.zeros([4]), 4611686018427387904)


def expand_overflow_then_copy():
    return torch.zeros([1]).expand([4294967296, 4294967296]).contiguous()


def expand_then_add():
    return torch.zeros([1]).expand([4611686018427387904]) + 1.0


def expand_then_sum_of_pairs():
    x = torch.zeros([1]).expand([1099511627776])
    return x.unsqueeze(0) * x.unsqueeze(1)


def tile_huge():
    return torch.tile(torch.zeros([2]), [4611686018427387904])


def cat_huge():
    x = torch.zeros([1]).expand([4611686018427387904])
    return torch.cat([x, x])


def stack_huge():
    x = torch.zeros([1]).expand([4611686018427387904])
    return torch.stack([x, x, x, x])


def unfold_size():
    return torch.zeros([4]).unfold(0, 5, 1)


def unfold_step():
    return torch.zeros([4]).unfold(0, 2, 0)


def narrow_length():
    return torch.zeros([4]).narrow(0, 2, 3)


def narrow_overflow():
    return torch.zeros([4]).narrow(0, 2, 9223372036854775807)


def select_index():
    return torch.zeros([4]).select(0, 4)


def index_high():
    return torch.zeros([4])[torch.tensor([4])]


def index_low():
    return torch.zeros([4])[torch.tensor([-5])]


def index_put_high():
    x = torch.zeros([4])
    x[torch.tensor([4])] = 1.0
    return x


def index_select_high():
    return torch.index_select(torch.zeros([4]), 0, torch.tensor([4]))


def index_add_high():
    return torch.zeros([4]).index_add_(0, torch.tensor([4]), torch.ones([1]))


def index_copy_low():
    return torch.zeros([4]).index_copy_(0, torch.tensor([-5]), torch.ones([1]))


def index_fill_high():
    return torch.zeros([4]).index_fill_(0, torch.tensor([4]), 1.0)


def gather_high():
    return torch.gather(torch.zeros([4]), 0, torch.tensor([4]))


def gather_low():
    return torch.gather(torch.zeros([4]), 0, torch.tensor([-1]))


def scatter_high():
    return torch.zeros([4]).scatter_(0, torch.tensor([4]), torch.ones([1]))


def scatter_low():
    return torch.zeros([4]).scatter_(0, torch.tensor([-1]), 1.0)


def scatter_add_high():
    return torch.zeros([4]).scatter_add_(0, torch.tensor([4]), torch.ones([1]))


def scatter_reduce_high():
    return torch.zeros([4]).scatter_reduce_(0, torch.tensor([4]), torch.ones([1]), "sum")


def take_high():
    return torch.take(torch.zeros([4]), torch.tensor([4]))


def put_high():
    return torch.zeros([4]).put_(torch.tensor([4]), torch.ones([1]))


def take_along_high():
    return torch.take_along_dim(torch.zeros([4]), torch.tensor([4]), 0)


def embedding_high():
    return torch.embedding(torch.zeros([4, 2]), torch.tensor([4]))


def embedding_low():
    return torch.embedding(torch.zeros([4, 2]), torch.tensor([-1]))


def embedding_bag_high():
    return torch.nn.functional.embedding_bag(torch.tensor([0, 4]), torch.zeros([4, 2]), torch.tensor([0]))


def embedding_bag_offsets():
    return torch.nn.functional.embedding_bag(torch.tensor([0, 1]), torch.zeros([4, 2]), torch.tensor([0, 7]))


def one_hot_high():
    return torch.nn.functional.one_hot(torch.tensor([4]), 3)


def one_hot_huge():
    return torch.nn.functional.one_hot(torch.tensor([4611686018427387904]))


def bincount_huge():
    return torch.bincount(torch.tensor([4611686018427387904]))


def bincount_negative():
    return torch.bincount(torch.tensor([-1]))


def nll_high():
    return torch.nn.functional.nll_loss(torch.zeros([1, 3]), torch.tensor([3]))


def nll_low():
    return torch.nn.functional.nll_loss(torch.zeros([1, 3]), torch.tensor([-1]))


def cross_entropy_high():
    return torch.nn.functional.cross_entropy(torch.zeros([1, 3]), torch.tensor([3]))


def max_unpool_high():
    return torch.nn.functional.max_unpool1d(torch.zeros([1, 1, 2]), torch.tensor([[[0, 99]]]), 2)


def pad_huge():
    return torch.nn.functional.pad(torch.zeros([4]), [4611686018427387904, 4611686018427387904])


def pad_negative():
    return torch.nn.functional.pad(torch.zeros([4]), [-3, -3])


def reflect_too_far():
    return torch.nn.functional.pad(torch.zeros([1, 1, 4]), [4, 0], mode="reflect")


def conv_padding():
    return torch.conv1d(torch.zeros([1, 1, 4]), torch.zeros([1, 1, 2]), padding=4611686018427387904)


def conv_stride():
    return torch.conv1d(torch.zeros([1, 1, 4]), torch.zeros([1, 1, 2]), stride=0)


def conv_dilation():
    return torch.conv1d(torch.zeros([1, 1, 4]), torch.zeros([1, 1, 2]), dilation=4611686018427387904)


def conv_groups():
    return torch.conv1d(torch.zeros([1, 1, 4]), torch.zeros([1, 1, 2]), groups=0)


def pool_kernel():
    return torch.nn.functional.max_pool1d(torch.zeros([1, 1, 4]), 9223372036854775807)


def pool_ceil():
    return torch.nn.functional.max_pool1d(torch.zeros([1, 1, 4]), 2, stride=9223372036854775807, ceil_mode=True)


def pool_dilation():
    return torch.nn.functional.max_pool2d(torch.zeros([1, 4, 4]), 9, stride=1, dilation=4611686018427387904)


def pool_stride():
    return torch.nn.functional.avg_pool1d(torch.zeros([1, 1, 4]), 2, stride=0, padding=1)


def interpolate_huge():
    return torch.nn.functional.interpolate(torch.zeros([1, 1, 4]), size=[4611686018427387904])


def pixel_shuffle_huge():
    return torch.pixel_shuffle(torch.zeros([1, 4, 1, 1]), 4611686018427387904)


def split_sizes():
    return torch.split(torch.zeros([4]), [2, 3])


def unflatten_overflow():
    return torch.zeros([4]).view([4294967296, 4294967296, -1])


def reshape_wraps():
    return torch.zeros([0]).reshape([4611686018427387904, 4])


def diag_embed_huge():
    return torch.diag_embed(torch.zeros([1]), 4611686018427387904)


def tri_huge():
    return torch.tril_indices(4611686018427387904, 4611686018427387904)


def one_element():
    return torch.zeros([2]).item()


def list_index():
    x = [1, 2, 3]
    return x[3]


def list_huge():
    return [0] * 4611686018427387904


def text_pad():
    return "a".rjust(9223372036854775807)


def text_zfill():
    return "a".zfill(9223372036854775807)


def text_tabs():
    return "a\tb".expandtabs(9223372036854775807)


def range_huge():
    return list(range(9223372036854775807))


def shift():
    return 1 << -1


def fft_huge():
    return torch.fft.fft(torch.zeros([4]), 4611686018427387904)


def stft_window():
    return torch.stft(torch.zeros([16]), 4611686018427387904, return_complex=True)


def cumulative_dim():
    return torch.cumsum(torch.zeros([4]), 4611686018427387904)


def bucket_weights():
    return torch.bincount(torch.tensor([1, 2]), torch.ones([1]))


def multinomial_many():
    return torch.multinomial(torch.ones([2]), 3)


def searchsorted_sorter():
    return torch.searchsorted(torch.arange(4), torch.tensor([1]), sorter=torch.tensor([0, 1, 2, 99]))


def ctc_targets():
    return torch.nn.functional.ctc_loss(torch.zeros([4, 1, 3]), torch.tensor([[7, 1]]), torch.tensor([4]), torch.tensor([2]))


def gru_hidden():
    return torch.gru_cell(torch.zeros([1, 2]), torch.zeros([1, 3]), torch.zeros([9, 99]), torch.zeros([9, 3]))


def packed_lengths():
    return torch._pack_padded_sequence(torch.zeros([2, 1, 1]), torch.tensor([99]), False)[0]


def upsampled_positions():
    return torch._C._nn.upsample_nearest2d(torch.zeros([17, 17, 17, 1]), [2147483648, 1])


def region_cells():
    return torch.ops.torchvision._ps_roi_pool_backward(torch.zeros([1, 1, 1, 1]), torch.zeros([1, 5]), torch.zeros([1], dtype=torch.int32), 1.0,
                                                       9007199254740992, 32768, 1, 2, 4, 4)


def sparse_resized():
    x = torch.zeros([2, 3, 4]).to_sparse()
    torch.relu(torch.zeros([5]), out=x)
    return x


def sparse_unsqueezed():
    return torch.zeros([2, 3]).to_sparse().unsqueeze_(0)


def scales_of_channels():
    x = torch.quantize_per_channel(torch.zeros([2, 300]), torch.ones([2]), torch.zeros([2]), 0, torch.qint8)
    return x.t_()


def scales_of_channels_resized():
    x = torch.quantize_per_channel(torch.zeros([2, 3]), torch.ones([2]), torch.zeros([2]), 0, torch.qint8)
    return x.resize_([300, 3])


def rows_of_channels():
    x = torch.quantize_per_channel(torch.zeros([2, 300]), torch.ones([2]), torch.zeros([2]), 0, torch.quint8)
    return x.reshape([600, 1]).dequantize()


def scales_of_other_sizes():
    x = torch.quantize_per_channel(torch.zeros([300, 2]), torch.ones([2]), torch.zeros([2]), 1, torch.qint8)
    y = torch.quantize_per_channel(torch.zeros([2]), torch.ones([2]), torch.zeros([2]), 0, torch.qint8)
    return x.copy_(y)


def sparse_restrided():
    return torch.zeros([2, 3, 2, 2]).to_sparse().resize_([2, 3, 2, 2], memory_format=torch.channels_last)


def weights_that_are_none():
    x = torch.ones([3, 3, 3])
    out = torch.zeros([1]), torch.zeros([1])
    return torch._native_multi_head_attention(x, x, x, 3, 1, torch.ones([9, 3]), torch.ones([9]), torch.ones([3, 3]), torch.ones([3]),
                                              need_weights=False, out0=out[0], out1=out[1])


def layers_without_weights():
    params: List[Tensor] = []
    return torch.gru(torch.ones([2, 1, 3]), torch.ones([0, 1, 3]), params, True, 4611686018427387904, 0.0, False, False, False)


def matrices_without_elements():
    return torch.linalg.qr(torch.empty([1152921504606846976, 0, 3]))[0]


# The product of the two sizes is 1, counted in 64 bits.
def adaptive_pool_to_more_than_there_is():
    return torch.nn.functional.adaptive_avg_pool2d(torch.ones([1, 2, 4, 4]), [7, 7905747460161236407])


# As many rows as there are places in no starts of rows, less one.
def sparse_rows_less_than_none():
    none = torch.empty([0], dtype=torch.int64)
    return torch.sparse_csr_tensor(none, none, torch.empty([0]), [-1, 3])


def windows_of_huge_kernels():
    return torch.im2col(torch.zeros([1, 4, 8, 8]), [1, 4611686018427387905], [1, 4], [0, 100000], [1, 1])


# The number of rows is that of a kernel of [4, 1], counted in 64 bits.
def windows_without_end():
    return torch.im2col(torch.zeros([1, 4, 8, 8]), [4, 4611686018427387905], [1, 4], [0, 40], [1, 1])


def windows_of_kernels_that_wrap():
    return torch.im2col(torch.zeros([1, 1, 8, 8]), [4294967296, 4294967296], [1, 1], [2147483648, 2147483648], [1, 1])


def windows_too_many():
    return torch.im2col(torch.zeros([1, 1, 8, 8]), [1073741824, 1073741824], [1, 1], [1073741824, 1073741824], [1, 1])


def columns_of_kernels_that_wrap():
    return torch.col2im(torch.zeros([1, 0, 1]), [8, 8], [4294967296, 4294967296], [1, 1], [2147483648, 2147483648], [1, 1])


def columns_of_negative_images():
    return torch.col2im(torch.zeros([1, 1, 1]), [-8, 8], [1, 1], [1, 1], [0, 0], [1, 1])


def sparse_indices_changed_by_their_handle():
    x = torch.sparse_coo_tensor(torch.tensor([[1], [1]]), torch.ones([1]), [2, 2])
    x._indices().fill_(-1000000000)
    return torch.mm(x, torch.ones([2, 2]))


def sparse_columns_changed():
    x = torch.sparse_csr_tensor(torch.tensor([0, 1, 2]), torch.tensor([0, 1]), torch.ones([2]), [2, 2])
    x.col_indices().fill_(1000000000)
    return torch.mm(x, torch.ones([2, 2]))


def sparse_product_changed():
    x = torch.sparse_coo_tensor(torch.tensor([[1], [1]]), torch.ones([1]), [2, 2]).coalesce()
    x.indices().fill_(1000000000)
    return torch.mm(x, x)


def sparse_made_dense_changed():
    x = torch.sparse_coo_tensor(torch.tensor([[1], [1]]), torch.ones([1]), [2, 2])
    x._indices().fill_(9223372036854775807)
    return x.to_dense()


def sparse_coalesced_changed():
    x = torch.sparse_coo_tensor(torch.tensor([[0, 1], [0, 1]]), torch.ones([2]), [2, 2])
    x._indices().fill_(-1)
    return x.coalesce()


def sparse_softmax_changed():
    x = torch.sparse_coo_tensor(torch.tensor([[0, 1], [0, 1]]), torch.ones([2]), [2, 2])
    x._indices().fill_(2)
    return torch.sparse.softmax(x, 0)


def histogram_of_many_columns():
    return torch.histogramdd(torch.ones([1, 1]).expand([1, 1099511627776]), 3)


def histogram_of_65_columns():
    return torch.histogramdd(torch.ones([2, 65]), 1)


def histogram_of_many_bins():
    return torch.histogram(torch.ones([3]), 9223372036854775807)


def quantiles_of_long_rows():
    return torch.quantile(torch.zeros([2, 16777220]), 1.0, 1)


def quantiles_at_repeated_shares():
    return torch.quantile(torch.ones([3]), torch.ones([1]).expand([1099511627776]))


def gradient_of_one_number_repeated():
    return torch.gradient(torch.ones([1]).expand([1099511627776]))


def weights_that_are_complex():
    return torch.cov(torch.ones([2, 3]), aweights=torch.ones([3], dtype=torch.complex64))


def counts_that_are_complex():
    return torch.cov(torch.ones([2, 3]), fweights=torch.ones([3], dtype=torch.complex64))


def one_hot_most():
    return torch.nn.functional.one_hot(torch.tensor([9223372036854775807]))
